// Texts in many languages. cspell:disable
import type { Difficulty } from "../routing/difficulty.ts";

type Judged = readonly [Difficulty, text: string];

/** Requests of shops, offices and developers, and how strong a model each needs, as a person judged them. */
export const settledSet: readonly Judged[] = [
	["plain", "Habari?"],
	["plain", "Hello! Are you there?"],
	["plain", "Asante sana, kwaheri."],
	["plain", "Merci beaucoup, bonne journée !"],
	["plain", "Translate to Swahili: The shop is closed on Sunday."],
	["plain", "Tafsiri kwa Kiingereza: Tafadhali subiri dakika mbili."],
	["plain", "Traduis en anglais : Le magasin ouvre à huit heures."],
	["plain", "Übersetze ins Englische: Die Milch ist ausverkauft."],
	["plain", "Traduce al inglés: No queda azúcar hasta el lunes."],
	["plain", "翻译成英文：今天牛奶卖完了。"],
	["plain", "इसका अंग्रेज़ी में अनुवाद करें: दुकान कल बंद रहेगी।"],
	["plain", "ترجم إلى الإنجليزية: المتجر مغلق اليوم."],
	["plain", "Переведи на английский: сахар закончился."],
	[
		"plain",
		"Correct the spelling of this notice: We are opne from eigth to six, exept sundays.",
	],
	[
		"plain",
		"Classify each product as FOOD, DRINK or OTHER: Soda 500 ml; Unga 2 kg; Soap bar; Milk 1 l; Candles.",
	],
	[
		"plain",
		"Extract the phone number and the name from this text message: Hi, this is Njeri, please call me on 0712 345 678 when the bread is there.",
	],
	["plain", "Sort these alphabetically: sugar, bread, milk, eggs, rice."],
	["plain", "What is the capital of Tanzania?"],
	[
		"plain",
		"Make this shorter: We would like to inform our dear customers that from now on we also sell fresh bread each morning.",
	],
	[
		"plain",
		"Fupisha: Tunapenda kuwajulisha wateja wetu kwamba duka litafungwa kesho kwa sababu ya sikukuu.",
	],
	[
		"plain",
		"Summarize in one sentence: The supplier came late, brought 40 of 60 crates, and promised the rest for Friday morning.",
	],
	["plain", "Convert 12.5 kg to pounds."],
	["plain", "List five names for a small bakery."],
	["plain", "Which day of the week comes after Thursday?"],
	[
		"usual",
		"Write a friendly text message to a customer who has owed 1,450 shillings for three weeks. She is a good customer, so don't be harsh, but ask for a date.",
	],
	[
		"usual",
		"Write a short product description for a locally made soap with aloe and honey, for a sign beside the shelf. Two sentences, no exaggeration.",
	],
	[
		"usual",
		"I have eggs, tomatoes, onions and some old bread. What can I cook for four people in half an hour, without an oven?",
	],
	[
		"usual",
		"Draft a polite letter to our landlord asking him to repair the roof before the rains begin in March.",
	],
	[
		"usual",
		"Andika tangazo fupi la redio kwa duka letu jipya la vyakula mjini Nakuru, linalofunguliwa Jumamosi na lenye bei nafuu kwa wiki ya kwanza.",
	],
	[
		"usual",
		"Écris un message pour nos clients fidèles : nous fêtons nos dix ans samedi, avec du café offert et une tombola à seize heures.",
	],
	[
		"usual",
		"Explain to a new cashier in simple words how to open a shift, count the float and what to do when the drawer has too little in it.",
	],
	[
		"usual",
		"How should I store fresh fish overnight when the power may fail for a few hours? The cool box holds forty litres.",
	],
	[
		"usual",
		"Give me ideas for a small promotion in the week before school starts; we sell stationery, snacks and soap to families nearby.",
	],
	[
		"usual",
		"Escribe una respuesta amable a un cliente que se queja de que el pan estaba duro ayer por la tarde y pide que le devuelvan el dinero.",
	],
	[
		"usual",
		"Schreibe eine kurze Stellenanzeige für eine Aushilfe am Samstag, die kassieren kann und freundlich zu älteren Kunden ist.",
	],
	[
		"usual",
		"My customers ask what the difference between UHT milk and fresh milk is. Tell me what I can say to them in a few sentences.",
	],
	[
		"usual",
		"Write a children's story of about 200 words in which a goat runs a kiosk and learns to give the right change.",
	],
	[
		"usual",
		"请给我们的顾客写一条通知，说明店铺下周一因为盘点而关门，周二早上八点照常营业，并感谢大家的理解。",
	],
	[
		"usual",
		"Напиши вежливое сообщение поставщику: два ящика яиц пришли битыми, мы просим заменить их до пятницы.",
	],
	[
		"usual",
		"What should I look out for when I buy a used freezer for the shop from a neighbour who moves away next month?",
	],
	[
		"usual",
		"Describe how M-PESA payments work for somebody who has just arrived in Kenya and has only ever paid by card.",
	],
	[
		"usual",
		"हमारी दुकान की दसवीं सालगिरह पर ग्राहकों के लिए एक छोटा और दोस्ताना संदेश लिखें, जिसमें मुफ्त चाय का ज़िक्र हो।",
	],
	[
		"usual",
		"اكتب رسالة ودية قصيرة إلى زبائن المتجر نخبرهم فيها أن الخبز الطازج متوفر كل صباح من السابعة حتى العاشرة.",
	],
	[
		"usual",
		"Suggest a weekly routine for cleaning a shop of forty square metres with two employees who both work half days.",
	],
	[
		"hard",
		"Prove that the square root of 3 is irrational, and say where the proof fails for the square root of 4.",
	],
	[
		"hard",
		"This function returns NaN for an empty cart. Find the bug and fix it:\n```js\nfunction average(lines) {\n  return lines.reduce((sum, l) => sum + l.price, 0) / lines.length;\n}\n```",
	],
	[
		"hard",
		"Our VAT return: sales of 1,160,000 including 16 % VAT, purchases of 348,000 including VAT, of which 58,000 were zero-rated bread. Compute the tax due step by step and check whether we may claim input tax on the bread.",
	],
	[
		"hard",
		"Compare buying a delivery motorcycle for 180,000 with hiring one for 900 a day, six days a week. Assume 14 % interest, three years, fuel of 300 a day in both cases and a resale value of a third. Which is cheaper, and at how many days a week does it change?",
	],
	[
		"hard",
		"Why does this query become slow with a million rows, and which index would help?\nSELECT product_id, SUM(quantity) FROM sale_items WHERE created_at > '2026-01-01' GROUP BY product_id ORDER BY 2 DESC LIMIT 10;",
	],
	[
		"hard",
		'Analyse the clause: "The tenant is liable for all repairs howsoever caused, save where the landlord has been notified in writing within seven days." What does it mean for a leaking roof, and how would you negotiate a better contract?',
	],
	[
		"hard",
		"Design a database schema for a chain of 40 shops that sell offline and synchronise at night. Discuss conflicts, stock and refunds, and the trade-offs of event sourcing against last-writer-wins.",
	],
	[
		"hard",
		"Linganisha faida ya mkopo wa benki wa riba 13 % kwa miaka miwili na chama kinachotoza 1.5 % kwa mwezi, ukizingatia kwamba ninahitaji 250,000. Eleza hatua kwa hatua.",
	],
	[
		"hard",
		"Démontre que la somme des n premiers nombres impairs vaut n², par récurrence, puis explique pourquoi l'initialisation est nécessaire.",
	],
	[
		"hard",
		"Analysiere, warum unser Gewinn trotz 12 % mehr Umsatz gefallen ist: Wareneinsatz 62 % → 68 %, Miete +8 %, Schwund 2,1 %. Bewerte drei Gegenmaßnahmen nach Wirkung und Risiko.",
	],
	[
		"hard",
		"Traceback (most recent call last):\n  File \"import.py\", line 42, in <module>\n    total += int(row['price'])\nValueError: invalid literal for int() with base 10: '1.250,00'\nHow do I fix this for files of any locale without breaking English ones?",
	],
	[
		"hard",
		"证明：任意六个人中必有三个人互相认识或者三个人互相不认识，并分析五个人时为什么不成立。",
	],
	[
		"hard",
		"Сравни упрощённую систему налогообложения 6 % и 15 % для магазина с выручкой 4,2 млн и расходами 3,1 млн. При какой доле расходов выгоднее вторая? Покажи вычисления.",
	],
	[
		"hard",
		"A till lost power while it wrote a sale. On restart the journal has the sale but the index doesn't. Explain which orders of writes and fsyncs can lead to this, and design a recovery that never counts a sale twice.",
	],
	[
		"hard",
		"Write a regular expression and a Python function that parse barcodes with an embedded weight (prefix 20 to 29), verify the check digit, and return grams. Include tests for three wrong codes.",
	],
	[
		"hard",
		"Compara las ventajas y riesgos de vender a crédito en un barrio pequeño, y diseña una estrategia con límites, plazos y lo que se hace cuando alguien no paga. Analiza también el efecto en la caja.",
	],
	[
		"hard",
		"We sold 320 sodas at 60 and 210 at 55 after a price cut, at a cost of 42. Estimate the price elasticity, the margin lost or won, and forecast whether a cut to 50 would pay, with the uncertainty.",
	],
	[
		"hard",
		"Diagnose: our freezer's compressor starts every four minutes, the door seal is new, frost builds up at the back only, and the bill rose by 30 %. What are the likely causes, in order, and how can I test each?",
	],
	[
		"hard",
		"Write a rate limiter as a TypeScript class with a token bucket per key, bounded memory and no timers. Explain the complexity of each operation and how it behaves when the clock goes back.",
	],
	[
		"hard",
		"सरल ब्याज और चक्रवृद्धि ब्याज की तुलना करें: 80,000 रुपये, 11 % वार्षिक, तीन साल। हर चरण की गणना दिखाएँ और बताएँ कि दुकान के लिए कौन बेहतर है और क्यों।",
	],
	[
		"hard",
		"قارن بين فتح فرع ثان وبين توسيع المتجر الحالي، وحلل التكاليف والمخاطر خلال سنتين، ثم اقترح خطة مع أرقام تقديرية ونقاط للتوقف.",
	],
	[
		"hard",
		"Criticize this plan: stop paying suppliers in cash, move to 30 days of credit, use the freed cash for a second location in six months. List the assumptions, what could go wrong and early signs of it.",
	],
	[
		"hard",
		"An employee's gross pay is 46,500. Compute PAYE, NSSF and SHIF for Kenya as of 2026 and show which figures you are unsure of and why.",
	],
	[
		"hard",
		"Refactor this into pure functions and explain what was wrong with the shared state:\nlet total = 0;\nexport const add = (x) => { total += x; if (total > 100) { total = 0; notify(); } return total; };",
	],
	["plain", "Good morning!"],
	["plain", "ok, thank you so much"],
	["plain", "How do you say 'receipt' in French?"],
	["plain", "Put these prices into a table: bread 65, milk 70, eggs 18."],
	[
		"plain",
		'Is this review positive or negative? "The bread was fresh and the boy at the till was kind."',
	],
	["plain", "Ni nini kinyume cha neno 'ghali'?"],
	["plain", "Quelle est la monnaie de la Tanzanie ?"],
	["plain", "Welche Farbe hat die Flagge von Kenia?"],
	["plain", "Write this in capitals: closed on monday"],
	[
		"plain",
		"Read the total from this receipt: Milk 2 x 65, Bread 60, TOTAL KES 190, CASH 200, CHANGE 10.",
	],
	["plain", "今天星期几？"],
	["plain", "ما هي عاصمة كينيا؟"],
	[
		"usual",
		"Tell me how to calm an angry customer who says that he got too little change, while others are waiting in the line behind him.",
	],
	[
		"usual",
		"Write a poem of eight lines for the shop's tenth birthday, with the names Njeri and Baraka in it and without any rhyme on love.",
	],
	[
		"usual",
		"We are moving the shop two streets further. What should stand on the notice on the old door, and for how long should it hang there?",
	],
	[
		"usual",
		"Give me a packing list for a market stall on a hot day: drinks, snacks, change, shade, and what one usually forgets.",
	],
	[
		"usual",
		"Nipe mawazo ya kuvutia wateja wa jioni kwenye kibanda changu cha chipsi karibu na kituo cha basi, bila kutumia pesa nyingi.",
	],
	[
		"usual",
		"Rédige une réponse à un avis d'une étoile sur notre boutique, polie, courte, et qui invite la cliente à revenir nous voir.",
	],
	[
		"usual",
		"Erzähle mir, wie man Brot am zweiten Tag noch gut verkauft, ohne dass es nach Resten aussieht, für eine kleine Bäckerei auf dem Land.",
	],
	[
		"usual",
		"Necesito un mensaje de WhatsApp para avisar a los vecinos de que mañana llega pescado fresco y que pueden reservar hasta las nueve.",
	],
	[
		"usual",
		"What would a good job interview for a cashier look like? Give me eight questions and what a good answer to each sounds like.",
	],
	[
		"usual",
		"Придумай название и короткий слоган для лавки с местным мёдом и травяным чаем в маленьком городе у моря.",
	],
	[
		"usual",
		"Tell me about the history of barter markets on the Swahili coast, in about three paragraphs, for visitors of our shop.",
	],
	[
		"usual",
		"请写一段介绍本地咖啡豆的文字，大约一百字，放在货架旁边给第一次来的游客看，语气亲切自然。",
	],
	[
		"hard",
		"My React component renders forever after I added useEffect with an object as a dependency. What happens, and what is the right way to write it?",
	],
	["hard", "Show that there are infinitely many primes of the form 4k + 3."],
	[
		"hard",
		"Given daily sales of 120, 135, 98, 160, 142, 110 and 175, fit a linear trend, give the residuals and say whether it means anything.",
	],
	[
		"hard",
		"Our landlord wants to end the lease early because of 'redevelopment'. The lease names no such ground. What are our rights in Kenya, and what should we write to him?",
	],
	[
		"hard",
		"Write a SQL migration that splits the column full_name into first and last names for two million rows without locking the table for long.",
	],
	[
		"hard",
		"Should a shop with 3 % net profit take a loan at 18 % to stock up before Christmas? Work out when it pays, with stock that sells in 20, 40 or 60 days.",
	],
	[
		"hard",
		"Kwa nini jumla ya daftari langu haifanani na droo? Mauzo 45,300, matumizi 6,150, mikopo 3,900, malipo ya madeni 2,400, droo ina 36,950. Tafuta makosa yanayowezekana.",
	],
	[
		"hard",
		"Explique la différence entre une base de données à un seul écrivain et la réplication multi-maître, et dans quels cas la seconde perd des écritures.",
	],
	[
		"hard",
		"Leite her, wie viele Kassen ein Laden braucht, wenn 90 Kunden pro Stunde kommen, jeder im Mittel 75 Sekunden braucht und höchstens einer von zwanzig länger als drei Minuten warten soll.",
	],
	[
		"hard",
		"Find the race condition: two goroutines call map writes guarded by an RWMutex, but one holds only RLock while it appends to the slice stored in the map.",
	],
	[
		"hard",
		"Critique this argument: most thefts happen when the shop is busy, so we should open fewer hours. Name the fallacy and the data that would settle it.",
	],
	[
		"hard",
		"¿Cuántas unidades debo pedir si vendo de media 14 al día con desviación de 5, el proveedor tarda 6 días y quiero que falte como mucho una vez de cada veinte? Muestra el cálculo.",
	],
	["plain", "Bye, see you tomorrow."],
	["plain", "What does 'duka' mean?"],
	["plain", "Turn this list into one line with commas: rice\nbeans\nsalt"],
	["plain", "Spell check: recieve, seperate, untill"],
	["plain", "Which of these is a fruit: carrot, mango, potato?"],
	["plain", "Neno 'bei' ni nini kwa Kiingereza?"],
	["plain", "Comment dit-on « bread » en français ?"],
	["plain", "把下面的句子改得更礼貌：把钱给我。"],
	[
		"usual",
		"Tell our neighbours in a few warm sentences that the shop will stay open on the evening of the football final, with tea.",
	],
	[
		"usual",
		"What can we do with twenty kilos of tomatoes that will be too soft to sell by tomorrow afternoon?",
	],
	[
		"usual",
		"Write the welcome text for our new website: a family shop since 1988, fresh vegetables, and a bench outside for a chat.",
	],
	[
		"usual",
		"Niandikie barua ya kumpongeza mfanyakazi wangu aliyefanya kazi kwa bidii mwaka huu wote, yenye maneno ya dhati.",
	],
	[
		"usual",
		"Donne-moi quelques idées de vitrines pour les fêtes, avec peu de moyens et beaucoup de bougies et de papier.",
	],
	[
		"usual",
		"Which questions should I ask a supplier of honey before I buy from him for the first time?",
	],
	[
		"usual",
		"Schreib mir einen Aushang, dass Hunde draußen warten müssen, aber so, dass niemand beleidigt ist und alle lächeln.",
	],
	[
		"usual",
		"A customer asks for a vegetarian gift basket for about forty euros. What would you put into it, and how would you wrap it?",
	],
	[
		"hard",
		"A pump fills a tank in 6 hours and another in 4, but the tank leaks a twelfth of its volume per hour. When is it full with both running, and at which leak never?",
	],
	[
		"hard",
		"Our nginx returns 502 only under load, the upstream logs show ECONNRESET after 5 seconds of idle keep-alive. What is going on and how do I fix it?",
	],
	[
		"hard",
		"Two partners put in 300,000 and 450,000, one works full time. Propose a fair split of profits and losses, and what the agreement must say when one leaves.",
	],
	[
		"hard",
		"Show that a graph in which each vertex has degree two is a union of cycles.",
	],
	[
		"hard",
		"Eleza jinsi ya kugawanya faida ya 84,000 kati ya washirika watatu waliochangia 40 %, 35 % na 25 %, kama mmoja alichukua mkopo wa 12,000 kutoka kwenye biashara mwezi wa tatu.",
	],
	[
		"hard",
		"Quel est le meilleur moment pour renouveler un congélateur de 9 ans qui consomme 1,9 kWh par jour, si un neuf coûte 420 euros et consomme 0,6 kWh à 0,25 euro ?",
	],
	[
		"hard",
		"Warum verliert diese Transaktion Updates, obwohl beide Prozesse READ COMMITTED benutzen, und welche Isolationsstufe oder Sperre hilft ohne großen Verlust an Durchsatz?",
	],
	[
		"hard",
		"Review this argument for hidden premises: since sales rose after we repainted the shop, colour is what customers want. Propose an experiment that would tell.",
	],
];

/** Others, written after the signs of difficulty were settled with those above, and never used to settle them. */
export const heldOutSet: readonly Judged[] = [
	["plain", "Evening! All well?"],
	["plain", "What is 'cheese' in German?"],
	["plain", "Put the words in order: shop / the / opens / eight / at"],
	["plain", "Which is heavier, a kilo of sugar or 900 grams of salt?"],
	["plain", "Andika namba hii kwa maneno: 245"],
	["plain", "Dis bonjour à ma collègue Amina en une phrase."],
	[
		"usual",
		"Write three short captions for photos of our bread: one in the oven, one in a basket, one being broken by a child.",
	],
	[
		"usual",
		"What do people in Mombasa usually eat for breakfast, and which of it could a small kiosk offer?",
	],
	[
		"usual",
		"I lost my voice and must work at the till tomorrow. How do I get through the day with the customers?",
	],
	[
		"usual",
		"Nisaidie kuandika ujumbe wa pole kwa mteja wetu aliyefiwa na mama yake wiki iliyopita.",
	],
	[
		"usual",
		"Cuéntame cómo se hace un buen escaparate de otoño con calabazas, hojas y pocas luces.",
	],
	[
		"usual",
		"Describe our shop in the voice of an old cat that has lived behind the counter for years.",
	],
	[
		"hard",
		"Three tills each lose contact with the server at random, on average for an hour a day. How often are all three away at once, and what must I assume for that?",
	],
	[
		"hard",
		"My Excel formula =IF(A2>B2;A2-B2;0) shows #NAME? on one computer only. What are the possible reasons, and how do I tell them apart?",
	],
	[
		"hard",
		"Is it allowed to keep a deposit when the customer cancels a layaway after four weeks? Weigh the consumer law of the EU against that of Kenya.",
	],
	[
		"hard",
		"Prouvez que parmi 13 personnes, deux au moins sont nées le même mois, et généralisez.",
	],
	[
		"hard",
		"A process uses 100 % of a core in epoll_wait with a timeout of zero. Explain how that happens and how to find the caller.",
	],
	[
		"hard",
		"Design an experiment to find out whether music in the shop raises sales, with days as units, weather as a nuisance and only eight weeks of time.",
	],
];
