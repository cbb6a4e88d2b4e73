"""Who somebody is: what asks for a name, and what has one."""

import pytest

from biblicus.answering import somebody


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Who is the architect?", True), ("Who is Northgate's head vet?", True),
        ("What is the name of our porter?", True),
        ("Wer ist der Architekt?", True), ("Wie heißt die Köchin?", True), ("Comment s'appelle la dame ?", True),
        ("Qui est l'architecte ?", True), ("¿Cómo se llama el perito?", True), ("Chi è il sindaco?", True),
        ("Who may use the slip?", False), ("Who is on call?", False), ("Wer darf hinein?", False),
        ("Wie heißt das?", True), ("What is the name service?", False),
    ],
)  # fmt: skip
def test_a_question_asks_who_somebody_is(question: str, asks: bool) -> None:
    assert somebody.asks_who_is(question) == asks


@pytest.mark.parametrize(
    ("text", "stemmer", "names"),
    [
        ("The architect is called Ada.", "english", True), ("The architect is not here.", "english", False),
        ("Ada keeps the keys.", "english", True), ("The architect of the CVE database.", "english", False),
        ("El arquitecto recomienda una reforma.", "spanish", False), ("Rosa lleva las cuentas.", "spanish", True),
        ("Der Architekt sagt Putz abschlagen.", "german", False), ("Architekt: Meier", "german", True),
        ("Den Plan hat Frau Sommer.", "german", True), ("Der Plan ist von Ole Detlefs.", "german", True),
        ("06.05.24, 07:12 - Jutta Sommer: Der Architekt kommt", "german", False),
        ("06.05.24, 07:12 - Jutta Sommer: Das bin ich", "german", True),
        ("The server is called `tern`.", "english", True), ("建筑师是王先生。", "", True),
        ("The architect works on Fridays in March.", "english", False), ("April draws it.", "english", True),
        ("Aa-" * 20_000 + " ist da.", "german", False),
    ],
)  # fmt: skip
def test_a_text_names_somebody(text: str, stemmer: str, names: bool) -> None:
    assert somebody.names_somebody(text, "Who is the architect?", stemmer) == names


@pytest.mark.parametrize(
    ("text", "question", "stemmer"),
    [
        ("The boat is called tern.", "What is the name of the boat?", "english"),
        ("Die Katze heißt Mimi.", "Wie heißt die Katze?", "german"),
    ],
)
def test_what_is_called_so_has_a_name(text: str, question: str, stemmer: str) -> None:
    assert somebody.names_somebody(text, question, stemmer)
    assert not somebody.names_somebody(text, "Who is the cat of the boat, die Mimi?", stemmer)
    assert not somebody.names_somebody("Pets other than cats are kept out.", "What is the name of the cat?", "english")


def test_a_name_of_the_question_is_none_that_a_maker_has() -> None:
    assert not somebody.names_maker("The prize went to Tomas Zell.", "Who founded the club of Tomas Zell?")
    assert somebody.names_maker("Ada founded it.", "Who founded the club?")
