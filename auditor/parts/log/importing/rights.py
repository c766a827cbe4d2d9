"""Which right a few words name: those of Regulation (EU) 2016/679 Articles 15 to 22, in seven languages.

What is said is known only if every word of it is: those that name a right, those that mean nothing next to one ("request", "of",
"data"), and numbers of articles. So "no erasure", "confirmation of deletion" and free text are not known.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Kind(StrEnum):
    """What a request asks for."""

    ERASURE = "erasure"
    ACCESS = "access"
    RECTIFICATION = "rectification"
    RESTRICTION = "restriction"
    PORTABILITY = "portability"
    OBJECTION = "objection"
    AUTOMATED = "automated decisions"
    CONSENT = "withdrawal of consent"
    COMPLAINT = "complaint"


# Words are written without accents: "löschung", "loeschung" and "LOSCHUNG" are one.
_SAYS: Final[Mapping[Kind, str]] = {
    Kind.ERASURE: "erasure erase erased erasing delete deletion deleting forget forgotten rtbf "
    "loschung loschen geloscht loschantrag loschanfrage loschersuchen loschbegehren loschverlangen loschauftrag loschrecht "
    "loschungsantrag loschungsanfrage loschungsersuchen loschungsbegehren datenloschung kontoloschung vergessenwerden vergessen "
    "effacement effacer oubli supprimer supresion suprimir borrado borrar olvido eliminacion eliminar "
    "cancellazione cancellare oblio eliminazione eliminare "
    "verwijdering verwijderen verwijderverzoek wissing gegevenswissing vergetelheid "
    "apagamento apagar esquecimento eliminacao",
    Kind.ACCESS: "access know disclosure copy "
    "auskunft auskunftsersuchen auskunftsanfrage auskunftsantrag auskunftsrecht auskunftsverlangen auskunftsbegehren "
    "datenauskunft selbstauskunft einsicht akteneinsicht kopie datenkopie "
    "acces copie acceso copia accesso inzage inzageverzoek inzagerecht acesso",
    Kind.RECTIFICATION: "rectification rectify correction correct berichtigung berichtigen korrektur "
    "rectifier rectificacion rectificar rettifica rettificare correzione rectificatie correctie rectificeren retificacao",
    Kind.RESTRICTION: "restriction restrict einschrankung einschranken sperrung limitation limiter limitacion limitar "
    "limitazione limitare beperking beperken",
    Kind.PORTABILITY: "portability port ubertragbarkeit datenubertragbarkeit datenportabilitat portabilitat portabilite "
    "portabilidad portabilita overdraagbaarheid dataportabiliteit gegevensoverdraagbaarheid portabilidade",
    Kind.OBJECTION: "objection object widerspruch widersprechen werbewiderspruch opposition opposer oposicion oposicao "
    "opposizione opporsi bezwaar opt optout unsubscribe abmeldung desinscription sale sell",
    Kind.AUTOMATED: "automated profiling automatisierte automatisierten automatise automatizadas automatizzate",
    Kind.CONSENT: "consent einwilligung consentement consentimiento consenso toestemming widerruf",
    Kind.COMPLAINT: "complaint beschwerde plainte reclamation queja reclamo klacht",
}
_WEAK: Final[Mapping[str, tuple[Kind, frozenset[str]]]] = {
    word: (Kind.ERASURE, _words(only_with))
    for words, only_with in (
        ("remove removal removing purge wipe", "data account profile information"),
        ("suppression", "de des du donnees compte demande droit personnelles"),
        ("cancelacion", "datos derecho personales"),
        ("wissen", "gegevens persoonsgegevens verzoek"),
    )
    for word in words.split()
}
"""Words that may mean another thing, and those of which one has to be next to them."""
_GENERIC: Final = frozenset({"dsar", "sar", "sars", "dsars", "information"})
"""A "subject access request", which is what many call any request: access where nothing else is named with it."""
_BESIDE: Final = _words(
    "a an the to of for on be by in with under my your their all any personal person data datum user customer "
    "account profile right rights request requests requested gdpr uk eu ccpa cpra subject subjects dsr dsrs privacy individual "
    "processing decision decisions making and please art article articles para paragraph abs absatz lit letter section sec "
    "recht rechte auf das der die des den von zu zur zum meiner meine deiner ihrer seiner aller alle daten personenbezogene "
    "personenbezogener personenbezogenen betroffenen betroffener antrag anfrage ersuchen verlangen begehren gem gemass nach "
    "dsgvo bdsg und konto kontos verarbeitung bitte entscheidung "
    "droit droits demande demandes la le les l un une d de du des au aux mes ses vos donnees personnelles compte rgpd et "
    "traitement selon conformement "
    "derecho derechos solicitud solicitudes peticion al del el los las mis sus datos personales cuenta rgpd y segun "
    "tratamiento "
    "diritto diritti richiesta richieste all alla allo alle agli ai dell della delle dei di il lo i gli miei suoi dati "
    "personali e ed trattamento account "
    "recht rechten verzoek verzoeken op om te het een van tot mijn uw zijn haar hun gegevens persoonsgegevens avg en in "
    "direito direitos pedido ao dos das dados pessoais conta"
)
"""Words that change nothing of what is asked for."""
_OPTING: Final = frozenset({"out", "do", "not"})
_JOINING: Final = re.compile(r"[+&/,;]|\b(?:and|und|et|y|e|ed|en)\b")
_ARTICLES: Final[Mapping[int, Kind]] = {
    15: Kind.ACCESS,
    16: Kind.RECTIFICATION,
    17: Kind.ERASURE,
    18: Kind.RESTRICTION,
    20: Kind.PORTABILITY,
    21: Kind.OBJECTION,
    22: Kind.AUTOMATED,
}
_ARTICLE: Final = re.compile(
    r"\b(?:art(?:icles?|ikel|icolo|iculo|igo)?s?)\W*(?P<numbers>\d{1,2}(?:\s*(?:[,/+&-]|and|und|et|y|e|en|bis|to)\s*\d{1,2})*)"
    # Paragraph 3 of Article 17 lists what is *not* erased: it asks for nothing.
    r"(?P<further>(?:\s*(?:\(\s*[12a-f]\s*\)|(?:abs|absatz|para|par|paragraph|lit|n|no|nr)\W*[12a-f]\b))*)(?!\s*\()"
)
_OTHER_LAWS: Final[Mapping[str, Kind]] = {
    "1798 105": Kind.ERASURE,
    "1798 106": Kind.RECTIFICATION,
    "1798 110": Kind.ACCESS,
    "1798 120": Kind.OBJECTION,
}
"""Sections of the California Civil Code."""
_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_GERMAN: Final = (
    ("loesch", "losch"),
    ("uebertrag", "ubertrag"),
    ("einschraenk", "einschrank"),
    ("portabilitaet", "portabilitat"),
)
NAMES: Final = _words(
    "type kind category requesttype typeofrequest requestkind requestcategory righttype dsrtype dsartype right "
    "righttoexercise rightexercised subjectrequesttype issuetype tickettype casetype exercise "
    "art typ kategorie anfrageart anfragetyp antragsart antragstyp artderanfrage artdesantrags betroffenenrecht recht "
    "vorgangsart anliegen anliegenart ticketart tickettyp "
    "typededemande typedemande naturedelademande droit droitexerce categorie "
    "tipo tipodesolicitud tiposolicitud derecho categoria tipodepeticion "
    "tiporichiesta tipodirichiesta tipologia diritto "
    "soort soortverzoek verzoektype typeverzoek aard"
)
"""What columns are called that say what was asked for, plainly written and without accents."""
_COPIES: Final = _words("disclosure copy kopie copie copia")
"""Words of access that mean it where erasure is asked for as well, and may mean another thing alone."""
_SPEAKS: Final = frozenset(
    word
    for kind in (Kind.ACCESS, Kind.RECTIFICATION, Kind.RESTRICTION, Kind.PORTABILITY)
    for word in _SAYS[kind].split()
    if word not in _COPIES | {"know", "correct", "restrict", "port"}
) | (_GENERIC - {"information"})
"""Words of free text by which a ticket asks for something else, if none in it asks for erasure."""
_ASKS_MORE: Final = _SPEAKS | _COPIES
"""Words of free text by which a ticket that asks for erasure may ask for something else as well."""
_ERASES: Final = frozenset(_SAYS[Kind.ERASURE].split()) | frozenset(_WEAK)
YES: Final = _words("yes y x true 1 ja j oui si sim wahr")
"""What a column that is one kind of request holds where it is asked for."""
FLAGS: Final = YES | _words("no n false 0 nein non nee nao falsch")
"""What such a column holds."""


def folded(text: str) -> str:
    """One spelling of a text: compatible forms, case and accents count for nothing, nor how German does without umlauts."""
    bare = "".join(each for each in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(each))
    for written, meant in _GERMAN:
        bare = bare.replace(written, meant)
    return bare


@cache
def asked(value: str) -> frozenset[Kind]:
    """Give what a value asks for; empty where it is not known, or any word of it is not."""
    text = folded(value)
    articles = list(_by_article(text))
    found = {each for each in articles if each is not None}
    words = _WORD.findall(_ARTICLE.sub(" ", text))
    for section, kind in _OTHER_LAWS.items():
        if section in " ".join(words):
            found.add(kind)
            words = [word for word in words if word not in section.split()]
    found |= {_by_word()[word] for word in words if word in _by_word()}
    found |= {kind for word in words if word in _WEAK for kind, beside in [_WEAK[word]] if not beside.isdisjoint(words)}
    if not _GENERIC.isdisjoint(words) and (not found or _JOINING.search(text)):
        found.add(Kind.ACCESS)
    known = all(_known(word, words, found) for word in words)
    return frozenset(found) if known and None not in articles else frozenset()


def _by_article(text: str) -> Iterator[Kind | None]:
    """What articles of the Regulation are about; None for another one, or another law's."""
    for match in _ARTICLE.finditer(text):
        for number in re.findall(r"\d+", match["numbers"]):
            yield None if "lgpd" in text else _ARTICLES.get(int(number))
        if re.search(r"\d\s*(?:-|bis|to)\s*\d", match["numbers"]):  # a range names what lies in between as well
            yield from (Kind.ACCESS, Kind.ERASURE)


def _known(word: str, words: Collection[str], found: Collection[Kind]) -> bool:
    """Whether a word is known next to the others."""
    if word in _WEAK:
        return not _WEAK[word][1].isdisjoint(words)
    if word in _OPTING:  # "opt-out" and "do not sell" are one thing each
        return Kind.OBJECTION in found
    return word in _by_word() or word in _BESIDE or word in _GENERIC


@cache
def _by_word() -> Mapping[str, Kind]:
    return {word: kind for kind, words in _SAYS.items() for word in words.split()}


def speaks_of_another(text: str) -> bool:
    """Whether free text names another right and no erasure."""
    words = set(_WORD.findall(folded(text)))
    return not words.isdisjoint(_SPEAKS) and words.isdisjoint(_ERASES)


def speaks_of_more(text: str) -> bool:
    """Whether free text names another right, whatever it says of erasure."""
    return not _ASKS_MORE.isdisjoint(_WORD.findall(folded(text)))
