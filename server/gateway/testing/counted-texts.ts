// Texts in many languages. cspell:disable
/** The vocabularies whose counts are known: OpenAI's, and those of Gemini 1.5, Qwen 2.5, Mistral Nemo and Llama 3. */
export const vocabularies = [
	"o200k",
	"gemini",
	"qwen",
	"nemo",
	"llama",
] as const;

/** A text three times over, and how many tokens that is by each vocabulary, counted with its published tokenizer. */
type Counted = readonly [text: string, tokens: readonly number[]];

const stockList = (from: number, lines: number) =>
	JSON.stringify(
		Array.from({ length: lines }, (_, i) => ({
			sku: `SKU-${from + i}`,
			name: `Sugar ${i} kg`,
			quantity: i * 7,
			barcode: `600123${4_000_000 + (from + i) * 37}`,
		})),
	);

/** Two texts of each language, and of data. */
export const countedTexts: readonly [
	language: string,
	one: Counted,
	other: Counted,
][] = [
	[
		"English",
		[
			"The shop opens at seven, and by half past the first children come in for bread on their way to school. Njeri counts the float, writes the number into her book and unlocks the small window.",
			[126, 126, 126, 129, 126],
		],
		[
			"On Mondays the milk arrives late because the road from the farm is bad, so she keeps a few litres from Saturday in the cool box behind the counter. When the electricity fails she lights a lamp and goes on selling; what she sold is written down before the customer leaves.",
			[165, 165, 165, 168, 165],
		],
	],
	[
		"Spanish",
		[
			"La tienda abre a las siete, y a la media hora llegan los primeros niños a comprar pan camino de la escuela. Njeri cuenta el cambio, escribe la cantidad en su libro y abre la ventanilla.",
			[129, 129, 150, 132, 150],
		],
		[
			"Los lunes la leche llega tarde porque el camino desde la granja está malo, así que guarda unos litros del sábado en la nevera detrás del mostrador. Cuando se va la luz enciende una lámpara y sigue vendiendo; lo que vendió queda escrito antes de que el cliente se marche.",
			[186, 174, 213, 192, 213],
		],
	],
	[
		"French",
		[
			"La boutique ouvre à sept heures, et une demi-heure plus tard les premiers enfants viennent chercher du pain en allant à l'école. Njeri compte la caisse, note le montant dans son cahier et ouvre le petit guichet.",
			[144, 147, 177, 150, 177],
		],
		[
			"Le lundi, le lait arrive en retard parce que la route de la ferme est mauvaise, elle garde donc quelques litres du samedi dans la glacière derrière le comptoir. Quand le courant est coupé, elle allume une lampe et continue à vendre ; ce qu'elle a vendu est écrit avant que le client ne parte.",
			[195, 195, 234, 192, 234],
		],
	],
	[
		"German",
		[
			"Der Laden öffnet um sieben, und eine halbe Stunde später holen die ersten Kinder auf dem Schulweg ihr Brot. Njeri zählt das Wechselgeld, schreibt den Betrag in ihr Buch und schließt das kleine Fenster auf.",
			[135, 129, 174, 147, 174],
		],
		[
			"Montags kommt die Milch zu spät, weil der Weg vom Hof schlecht ist, deshalb bewahrt sie einige Liter vom Samstag in der Kühlbox hinter der Theke auf. Fällt der Strom aus, zündet sie eine Lampe an und verkauft weiter; was sie verkauft hat, steht im Buch, bevor der Kunde geht.",
			[198, 195, 234, 207, 234],
		],
	],
	[
		"Swahili",
		[
			"Duka hufunguliwa saa moja asubuhi, na nusu saa baadaye watoto wa kwanza huja kununua mkate wakielekea shuleni. Njeri huhesabu pesa za kuanzia, huandika kiasi kwenye daftari lake na kufungua dirisha dogo.",
			[186, 198, 243, 231, 240],
		],
		[
			"Siku ya Jumatatu maziwa huchelewa kufika kwa sababu barabara kutoka shambani ni mbaya, kwa hiyo huweka lita chache za Jumamosi kwenye sanduku la baridi nyuma ya kaunta. Umeme ukikatika huwasha taa na kuendelea kuuza; alichouza huandikwa kabla mteja hajaondoka.",
			[228, 255, 303, 285, 300],
		],
	],
	[
		"Portuguese",
		[
			"A loja abre às sete, e meia hora depois as primeiras crianças vêm buscar pão a caminho da escola. Njeri conta o troco, escreve o valor no seu livro e abre a pequena janela.",
			[120, 129, 156, 138, 159],
		],
		[
			"Às segundas-feiras o leite chega tarde porque a estrada da quinta está má, por isso ela guarda alguns litros de sábado na caixa térmica atrás do balcão. Quando falta a luz, acende uma lâmpada e continua a vender; o que vendeu fica escrito antes de o cliente sair.",
			[192, 183, 231, 201, 234],
		],
	],
	[
		"Russian",
		[
			"Магазин открывается в семь, а через полчаса первые дети заходят за хлебом по дороге в школу. Нджери пересчитывает мелочь, записывает сумму в тетрадь и открывает маленькое окошко.",
			[154, 150, 186, 171, 189],
		],
		[
			"По понедельникам молоко привозят поздно, потому что дорога с фермы плохая, поэтому она хранит несколько литров с субботы в холодильном ящике за прилавком. Когда отключают свет, она зажигает лампу и продолжает торговать; всё проданное записано раньше, чем покупатель уйдёт.",
			[231, 216, 273, 261, 252],
		],
	],
	[
		"Hindi",
		[
			"दुकान सुबह सात बजे खुलती है और आधे घंटे बाद पहले बच्चे स्कूल जाते हुए रोटी लेने आते हैं। नजेरी खुले पैसे गिनती है, रकम अपनी किताब में लिखती है और छोटी खिड़की खोलती है।",
			[152, 207, 488, 216, 273],
		],
		[
			"सोमवार को दूध देर से आता है क्योंकि खेत से आने वाली सड़क खराब है, इसलिए वह शनिवार का कुछ लीटर दूध काउंटर के पीछे ठंडे डिब्बे में रखती है। बिजली चली जाए तो वह दीया जलाकर बेचती रहती है; जो बिका वह ग्राहक के जाने से पहले लिखा होता है।",
			[206, 267, 654, 268, 375],
		],
	],
	[
		"Arabic",
		[
			"يفتح المتجر في السابعة، وبعد نصف ساعة يأتي أول الأطفال لشراء الخبز في طريقهم إلى المدرسة. تعد نجيري النقود الصغيرة وتكتب المبلغ في دفترها ثم تفتح النافذة الصغيرة.",
			[138, 147, 168, 132, 183],
		],
		[
			"يوم الاثنين يتأخر الحليب لأن الطريق من المزرعة سيئ، لذلك تحتفظ ببضعة لترات من يوم السبت في صندوق التبريد خلف المنضدة. وعندما تنقطع الكهرباء تشعل مصباحا وتواصل البيع؛ وما باعته يكون مكتوبا قبل أن يغادر الزبون.",
			[199, 211, 237, 192, 253],
		],
	],
	[
		"Chinese",
		[
			"商店早上七点开门，半小时后第一批孩子在上学路上来买面包。恩杰里数好零钱，把金额写进本子，然后打开小窗。",
			[126, 117, 113, 146, 129],
		],
		[
			"星期一牛奶来得晚，因为从农场来的路不好走，所以她把星期六的几升牛奶放在柜台后面的冷藏箱里。停电的时候她点上一盏灯继续卖；卖出的东西在顾客离开之前就已经记下来了。",
			[189, 167, 163, 228, 188],
		],
	],
	[
		"Thai",
		[
			"ร้านเปิดเจ็ดโมงเช้า และอีกครึ่งชั่วโมงต่อมาเด็กกลุ่มแรกก็แวะมาซื้อขนมปังระหว่างทางไปโรงเรียน นเจรีนับเงินทอน จดจำนวนลงในสมุด แล้วเปิดหน้าต่างบานเล็ก วันจันทร์นมมักมาช้าเพราะถนนจากฟาร์มไม่ดี",
			[246, 233, 329, 321, 276],
		],
		[
			"เธอจึงเก็บนมของวันเสาร์ไว้สองสามลิตรในกล่องเย็นหลังเคาน์เตอร์ เมื่อไฟดับเธอจุดตะเกียงแล้วขายต่อไป สิ่งที่ขายไปถูกจดไว้ก่อนลูกค้าจะออกจากร้าน",
			[180, 149, 229, 237, 208],
		],
	],
	[
		"Japanese",
		[
			"店は七時に開き、三十分後には最初の子どもたちが学校へ行く途中でパンを買いに来ます。ンジェリは釣り銭を数え、金額を帳面に書いてから小さな窓を開けます。",
			[201, 135, 170, 197, 188],
		],
		[
			"月曜日は農場からの道が悪くて牛乳が遅れるので、土曜日の何リットルかをカウンターの後ろの保冷箱に取っておきます。停電になるとランプをつけて売り続け、売ったものはお客が帰る前に書きとめてあります。",
			[237, 162, 206, 240, 225],
		],
	],
	[
		"Indonesian",
		[
			"Toko buka pukul tujuh, dan setengah jam kemudian anak-anak pertama datang membeli roti dalam perjalanan ke sekolah. Njeri menghitung uang kembalian, menulis jumlahnya di bukunya lalu membuka jendela kecil.",
			[144, 130, 207, 165, 207],
		],
		[
			"Setiap Senin susu datang terlambat karena jalan dari peternakan rusak, jadi ia menyimpan beberapa liter dari hari Sabtu di kotak pendingin di belakang meja. Kalau listrik padam, ia menyalakan lampu dan terus berjualan; apa yang terjual sudah dicatat sebelum pembeli pergi.",
			[195, 168, 234, 225, 234],
		],
	],
	[
		"JSON",
		[stockList(1000, 20), [1567, 2325, 2266, 2505, 1567]],
		[stockList(3000, 25), [1957, 2925, 2851, 3150, 1957]],
	],
];
