"""Irregular forms with different stems, by the stemmer's name: `murió` of `morir`, `gewann` of `gewinnen`."""

from __future__ import annotations

from collections.abc import Mapping

FORMS: Mapping[str, str] = {
    "spanish": """
    morir muere murió muerto muerte, nacer nació nacimiento, hacer hizo hecho, decir dice dijo dicho, ver vio visto,
    poner pone puso puesto, tener tiene tuvo, venir viene vino, dar dio dado, escribir escrito, romper roto, abrir
    abierto apertura, volver vuelve vuelto, resolver resuelto solución, conducir condujo, producir produce produjo
    producción, traducir traduce tradujo traducción, construir construye construcción, destruir destruye destrucción,
    obtener obtiene obtuvo, mantener mantiene mantuvo, contener contiene contuvo, pedir pide pidió, seguir sigue
    siguió, servir sirve sirvió, elegir elige eligió elección, dormir duerme durmió, sentir siente sintió, perder
    pierde perdió pérdida, encontrar encuentra, jugar juega, empezar empieza, comenzar comienza, mover mueve movió
    movimiento, traer trajo, caer cayó caída, leer leyó lectura, creer creyó creencia, huir huyó, largo longitud, alto
    altura, ancho anchura, interpretar interpretación, actuar actuación, cubrir cubierto, descubrir descubierto
    descubrimiento, defender defiende defensa, vender venta, conocer conoce, crecer crece crecimiento, llover llueve
    lluvia, volar vuela vuelo""",
    "french": """
    mourir meurt mort mourut, naître né née naquit naissance, écrire écrit écrivit écriture, vivre vécu vie, voir vu,
    prendre pris prit prise, mettre mis mise, venir vient venu vint, tenir tient tenu tint, devenir devient devenu
    devint, obtenir obtient obtenu obtint, recevoir reçoit reçu reçut, connaître connu connut, vouloir voulu, conduire
    conduit conduisit, construire construit construction, détruire détruit destruction, produire produit production,
    élire élu élection, vendre vendu vente, perdre perdu perte, peindre peint peinture, ouvrir ouvert ouverture,
    offrir offert offre, découvrir découvert découverte, croire cru croyance, lire lu lecture, répondre réponse,
    choisir choix, régner règne, partir départ, résoudre résolu, défendre défense, haut hauteur, long longueur, large
    largeur, interdire interdit""",
    "italian": """
    morire muore morì morto morte, nascere nasce nacque nato nascita, scrivere scrisse scritto scrittura, vincere
    vinse vinto vittoria vincitore, perdere perse perso perdita, prendere prese preso, mettere mise messo, fare fece
    fatto, dire dice disse detto, venire viene venne venuto, tenere tiene tenne tenuto, vedere vide visto, vivere
    visse vissuto vita, leggere lesse letto lettura, chiudere chiuse chiuso chiusura, aprire aperto apertura, correre
    corse corso, decidere decise deciso decisione, dividere divise diviso, uccidere uccise ucciso, rimanere rimase
    rimasto, scegliere scelse scelto scelta, chiedere chiese chiesto, rispondere rispose risposto risposta, condurre
    condusse condotto, produrre produsse prodotto produzione, tradurre tradusse tradotto traduzione, distruggere
    distrusse distrutto, dipingere dipinse dipinto, eleggere elesse eletto elezione, ottenere ottiene ottenne
    ottenuto, dare diede dato, conoscere conobbe conosciuto, crescere crebbe cresciuto, muovere mosse mosso movimento,
    rompere ruppe rotto, spendere spese speso, vendere vendita, scoprire scoperto scoperta, alto altezza, lungo
    lunghezza, largo larghezza""",
    "portuguese": """
    morrer morreu morto morte, nascer nasceu nascimento, fazer faz fez feito, dizer diz disse dito, ver viu visto, vir
    veio vem, ter tem teve, pôr pôs posto, trazer trouxe, escrever escrito, abrir aberto abertura, perder perda,
    construir constrói construção, produzir produz produção, traduzir traduz tradução, obter obteve obtido, manter
    manteve, eleger elegeu eleito eleição, sair saiu saída, cair caiu queda, ler leu leitura, querer quis, vender
    venda, escolher escolha, descobrir descoberto descoberta, crescer cresce crescimento, alto altura, longo
    comprimento, largo largura""",
    "german": """
    sterben stirbt starb gestorben tod, schreiben schrieb geschrieben, finden fand gefunden, gewinnen gewann gewonnen
    gewinn, verlieren verlor verloren verlust, nehmen nimmt nahm genommen, geben gibt gab gegeben, kommen kam, gehen
    ging gegangen, stehen stand gestanden, bringen brachte gebracht, denken dachte gedacht, kennen kannte gekannt,
    nennen nannte genannt, heißen hieß geheißen, lassen ließ gelassen, halten hielt gehalten, fallen fiel gefallen,
    fahren fuhr gefahren, tragen trug getragen, schlagen schlug geschlagen, ziehen zog gezogen, fliegen flog geflogen
    flug, fliehen floh geflohen flucht, liegen lag gelegen, sitzen saß gesessen, sehen sah gesehen, lesen las gelesen,
    treffen traf getroffen, sprechen sprach gesprochen, brechen brach gebrochen, helfen half geholfen hilfe, werfen
    warf geworfen, beginnen begann begonnen, singen sang gesungen, sinken sank gesunken, springen sprang, binden band
    gebunden, schließen schloss geschlossen, treiben trieb getrieben, bleiben blieb geblieben, steigen stieg
    gestiegen, leiden litt gelitten, schneiden schnitt geschnitten, greifen griff gegriffen, wachsen wuchs gewachsen,
    gelten galt, bestehen bestand bestanden, entstehen entstand entstanden, erhalten erhielt, enthalten enthielt,
    erfinden erfand erfunden, verbieten verbot verboten, beschreiben beschrieb beschrieben, verschwinden verschwand
    verschwunden, entscheiden entschied entschieden, vergleichen verglich verglichen, übernehmen übernahm übernommen,
    verlassen verließ, besitzen besaß besessen, erscheinen erschien erschienen, zwingen zwang gezwungen, geschehen
    geschah, lang länge, hoch höhe, groß größe, stark stärke, angreifen angriff, abnehmen abnahm, zunehmen zunahm,
    anbieten anbot, verstehen verstand""",
    "dutch": """
    sterven stierf gestorven, schrijven schreef geschreven, vinden vond gevonden, winnen won gewonnen, verliezen
    verloor verloren verlies, nemen nam genomen, geven gaf gegeven, komen kwam, gaan ging gegaan, staan stond gestaan,
    brengen bracht gebracht, denken dacht gedacht, houden hield gehouden, vallen viel gevallen, dragen droeg gedragen,
    slaan sloeg geslagen, trekken trok getrokken, vliegen vloog gevlogen, bieden bood geboden, liggen lag gelegen,
    zien zag gezien, lezen las gelezen, spreken sprak gesproken, breken brak gebroken, helpen hielp geholpen, beginnen
    begon begonnen, zingen zong gezongen, sluiten sloot gesloten, blijven bleef gebleven, kiezen koos gekozen keuze,
    kopen kocht gekocht, zoeken zocht gezocht, verkopen verkocht, krijgen kreeg gekregen, lopen liep gelopen, rijden
    reed gereden, groot grootte, hoog hoogte, lang lengte, uitvinden uitvond uitgevonden, ontdekken ontdekking""",
    "russian": """
    умереть умер умерла умирает смерть, родиться родился рождение, написать написал пишет, взять взял берёт, стать
    стал становится, идти шёл шла, найти нашёл нашла находит, дать дал даёт, жить живёт жизнь, начать начал начинается
    начало, назвать называется название, построить построил строит строительство, создать создал создаёт создание,
    прийти пришёл приходит, выбрать выбирает выбор, послать посылает, закрыть закрыл закрывает, открыть открыл
    открывает открытие, победить победил побеждает победа, продать продал продаёт продажа, купить покупает покупка,
    принять принял принимает, высокий высота, длинный длина, широкий ширина, убить убивает убийство, снять снимает,
    защитить защищает защита, решить решает решение, ребёнок дети, человек люди, занять занимает занял, получить
    получает, использовать используется""",
}
