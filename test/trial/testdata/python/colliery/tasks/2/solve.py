from colliery.types import FindScreenDeckInput, HistoryPonyInput


def decks(client, district):
    return [d.name for d in client.each_find_screen_deck(FindScreenDeckInput(district=district, per_page=120, closed=True))]


def who(client, id):
    return [entry.actor for entry in reversed(client.history_pony(HistoryPonyInput(id=id, per_page=4)).items)]
