"""Renderings of one evidence document: HTML, PDF, JUnit, SARIF and the terminal. Nothing here sees a model or data."""
