"""Ordinary words of prompts, letters and heads of tables: to say which one it is takes fewer bits than its letters do.

Who keeps somebody could choose such words as well, so none of them is free. They count as a choice from this list, which is fixed
and known to everybody, and no text may hold more of these choices than of any others.
"""

from __future__ import annotations

from math import ceil, log2
from typing import Final

_LISTED: Final = """
    aber able above abteilung accept access according across act active actual add additional adjust adresse advice advise
    affected against age ago agree ahead aim alle allow allowed almost alone along already als also alter although always among
    anfrage angebot angry another anrede anruf antrag antwort anyone anything apology appear apply appointment appropriate
    approve april area around art article asap ask asked asking aspect assess assigned assist assistance assistent attached
    attention auch auf aufgabe auftrag august aus ausgabe available average avoid aware away back bad balance bank base based
    basic bearbeitung because become before begin beginn behind bei being believe below bemerkung benefit benutzer bericht
    beschreibung best bestand beste bestellung betrag betreff better between beyond bezahlt big bill billing birth bis bitte
    block blue book booking both bottom branch break brief briefly bring broken brother budget build bullet business busy button
    buy call called caller calling cancel cancelled card care careful carefully carry cart case cause cent centre certain chain
    chance check choice choose ciudad claim classify clean clear clearly click clients close closed cold collect colour come
    common communication company compare complain complaints complete completely concern concerning concise concisely condition
    confirm confirmation confirmed connect consider contain contains continue contract control conversation copy correct
    correctly cost could courier course cover create credit criteria current currently damaged dank danke dark dass datei daten
    datum daughter deal dear debit decide decision deep define degree dein delay delayed delivered delivery dem demand den
    department des describe detail detailed details determine device dich did dies dieser different difficult direct directly
    discount discuss display distance district doch does dog done door double doubt down draft drive due durch during early easy
    edit education effect einem einen einer eines eingang eintrag either else empty encourage ende engineer enjoy enough ensure
    enter entire environment equal erledigt erstellt especially essential estimate even evening ever everyone everything exact
    exactly examine example exchange exist existing expect expected expensive experience expert expired explain explanation
    express expression extra extract extracted face fact factual fail fair fall family far fasse fast father fault fax february
    feedback feel fehler few figure fill final finally find fine finish firm firma fit fix fixed flag flat focus follow
    following food forget formal former forward found frage frau free frequent frequently fresh freundlichen friend friendly
    front full fully further furthermore future gain ganz garden gather geburtsdatum geburtstag gehrte gehrter gelesen general
    generate generated gentle gesamt geschlecht gift give given glad global goal good goods great greater green greet greeting
    greetings ground grow gruessen grund gruppe guarantee guess guest guide guidelines gut guten haben half hallo hand handle
    handling handy happen happened happy hard hat hausnummer hear heat heavy height hello help helpful here herr hier high
    highest highlight highly hilfreicher history hold holiday home honest hope hotel house hundred husband ich idea identify
    ignore ihm ihr ihre ihrem ihren image immediate immediately immer impact important impossible improve include included
    including income increase indeed indicate individual inform information informed inhalt inquiry inside instead instruction
    instructions insurance intent interest interested internal introduce invoice invoices issue issues jahr january jetzt job
    join joined journey july june just kann kategorie keep kein keine kindly klant klasse know knowledge known kommentar kontakt
    konto kontostand kosten kundennummer kundin land large late later latest law lead learn learned least leave left legal
    length less let letzte license lieber lieferung life light like likely limited link little live load local location long
    look looking lost lot love low lower loyal loyalty machine made mailing main maintain major make making man manage manager
    manner many march mark market match material matter maybe mean meaning measure medical medium meet meeting mehr mein meine
    member membership menge mention mentioned merge middle might mine mir miss missing mistake mitglied mobil mobile modern
    moment monat monday money monitor more morning most mother move much multiple must myself naam nach nachname nachricht
    national natural near nearly necessary need needed needs negative nein neither network neu neutral never nevertheless news
    nice nicht night nobody noch nom nombre nor normal normally north nothing notice notify november now numbered nummer nur
    obtain obvious occur october oder offer office official often once online only opinion opportunity option optional ordered
    ordering ordinary organisation organise original ort otherwise ought our ours out outcome outside over overall overview own
    owner package pages paid pair paper paragraph parcel parcels parents partner party pass past patient pattern pay payment
    payments pending perform perhaps period permanent permission persona personal phrase physical pick picture piece place plan
    plans play pleasant pleased plz point points police policies policy polite politely political poor popular portal positive
    possible postal postcode potential practice precise prefer preferred preis premium prepare present press previous prices
    primary prior priority privacy private probably problem problems procedure produce product products produkt professional
    profile profit program project promise proper properly property propose protect proud provide provided provider public
    purchase purchased purpose push quality quarter quelle queries quick quickly quiet quite quote raise range rank rate rather
    rating reach reader ready real reality really reason reasons receipt receive recent recently rechnung recipient recommend
    recommendation recommended red reduce refer reference referring refund refunded refunds regard regarding regards region
    register registered regular regularly reject related relation release relevant reliable remain remaining remember remind
    reminder remove repair repeat repeated replace replacement replied report reported represent representative require required
    requirement requirements reset resolution resolve resolved respect respectful respond responsible rest restore retain return
    returned returning returns review reviewed reviews rewrite right risk road rolle room rule rules safe said saldo sale sales
    same satisfaction satisfied satz save say saying schon school scores secret section secure security see seem sehr sein seine
    seit select send sender sending sense sensitive sent sentence sentences sentiment separate september serious serve service
    services set settle several share ship shipment shipped shipping shop shopping shops short shortly should show shown sich
    side sie sign signed similar simple simply since sincerely sind single sir sister site situation skip slow small smart smile
    social software sold solution solve some somebody someone something sometimes somewhat son soon sorry sound south spalte
    speak special specialist specific specify spend spoke spouse sprache stadt staff stage stand standard statement station stay
    step steps stichwort still stock stop store stored stories story straight strasse street strict strictly strong structure
    structured stunde style submit subscriber subscription success successful such sufficient suggest suggested suggestion
    suitable summarise summarised summarize summarized summe sure surname survey tables tage tagen take taken talk target tarif
    task tasks tax team teams technical telefon telefonnummer telephone tell temporary ten term termin terms test than thank
    thankful thanks them thema themselves then therefore thing things think third those though thought thousand three through
    throughout thursday thus till tired titel today together tomorrow tone tonight too took tool tools top topic topics toward
    town track tracking trade train transaction translate translated translation travel treat tried trip trouble trust try
    trying tuesday turn twice uhr umsatz understand understanding unfortunately unique unless uns unser unter until upon urgent
    usage use used useful usual usually valid valuable various verfasser verify vertrag vertragsnummer via vielen view ville
    visible visit visitor voice vom vor vorgang vorname voucher wait waiting wann want wanted war warm warning warranty warum
    wednesday week weekend weeks weil welcome well wenn went werden wert west whatever whether while whole whom whose wide wie
    wieder wife will window wir wird wish within without wohnort woman wonder words work working works world worse worst worth
    would write writing wrong yesterday yet young yours zahl zahlung zeit zum zur zusammen zusammenfassung zwei
"""
WORDS: Final = frozenset(_LISTED.split())
BITS: Final = ceil(log2(len(WORDS))) + 2
"""Of one: which it is, that it is from this list, and whether it has capitals."""
