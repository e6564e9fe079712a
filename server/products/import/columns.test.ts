import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ColumnMap, readProductCsv } from "./product-file.ts";

const data = join(import.meta.dirname, "../../../../shared/data");
const invoices = join(data, "uci-online-retail/2010-12-01.csv");

function read(lines: string[], map?: ColumnMap) {
	const csv = readProductCsv(Buffer.from(`${lines.join("\n")}\n`), { map });
	const products = csv.lines.map(({ fields }) => fields);
	const passedOver =
		csv.notes.find(({ code }) => code === "not_a_product")?.lines.length ?? 0;
	return { ...csv, products, passedOver };
}

describe("the format of a product file", () => {
	test("a Shopify file is recognized: variants are products, and rows of further pictures are not", () => {
		const { system, products, passedOver, refused } = read([
			"Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Fulfillment Service,Variant Price,Variant Compare At Price,Variant Requires Shipping,Variant Taxable,Variant Barcode,Image Src,Image Position,Gift Card,Cost per item,Status",
			'tee,Tee,"<p>Soft, warm</p>",Duka,Apparel & Accessories > Clothing,Shirts,"a, b",TRUE,Size,S,Color,Red,,,TEE-S-R,200,shopify,7,deny,manual,1200.00,,TRUE,TRUE,\'6001234567890,https://cdn.example.com/tee.jpg,1,FALSE,650.00,active',
			"tee,,,,,,,,,L,,Blue,,,,210,shopify,-2,deny,manual,1250.00,,TRUE,TRUE,'0001234567891,https://cdn.example.com/tee-2.jpg,2,,,",
			"tee,,,,,,,,,,,,,,,,,,,,,,,,,https://cdn.example.com/tee-3.jpg,3,,,",
			'mug,"Mug, big",,Duka,Home & Garden > Kitchen > Mugs,,,TRUE,Title,Default Title,,,,,MUG,300,shopify,12,deny,manual,450,,TRUE,TRUE,,,,FALSE,,active',
		]);
		expect({ system, passedOver, refused }).toEqual({
			system: "Shopify",
			passedOver: 1,
			refused: [],
		});
		expect(products).toEqual([
			{
				name: "Tee, S, Red",
				sku: "6001234567890",
				sellingPrice: 1200,
				buyingPrice: 650,
				quantity: 7,
				category: "Shirts",
				imageUrl: "https://cdn.example.com/tee.jpg",
			},
			{
				name: "Tee, L, Blue",
				sku: "0001234567891",
				sellingPrice: 1250,
				quantity: -2,
				category: "Shirts",
				imageUrl: "https://cdn.example.com/tee-2.jpg",
			},
			{
				name: "Mug, big",
				sku: "MUG",
				sellingPrice: 450,
				quantity: 12,
				category: "Mugs",
			},
		]);
	});

	const square =
		"Token,Item Name,Variation Name,SKU,Description,Categories,Reporting Category,GTIN,Price,Sellable,Default Unit Cost,Current Quantity Main St,New Quantity Main St,Stock Alert Enabled Main St,Stock Alert Count Main St";

	test("a Square file is recognized, with the stock of one place", () => {
		const { system, products, refused } = read([
			square,
			'A1,Coffee,Large,SQ-1,"Fresh, hot",Hot Drinks,,,$3.50,Y,1.25,10,,Y,4',
			"A2,Sandwich,Regular,,,Food,Lunch,00012345678905,425.00,Y,,,,N,",
			"A3,Advice,Regular,ADV,,,,,variable,Y,,,,,",
			'A4,Cake,Whole,CK,,,,,"£4,250.00",Y,,,,,',
		]);
		expect(system).toBe("Square");
		expect(products).toEqual([
			{
				name: "Coffee, Large",
				sku: "SQ-1",
				sellingPrice: 3.5,
				buyingPrice: 1.25,
				quantity: 10,
				lowStock: 4,
				category: "Hot Drinks",
			},
			{
				name: "Sandwich",
				sku: "00012345678905",
				sellingPrice: 425,
				category: "Lunch",
			},
			{ name: "Advice", sku: "ADV" },
			{ name: "Cake, Whole", sku: "CK", sellingPrice: 4250 },
		]);
		expect(refused).toEqual([]);
	});

	test("a Square file with the stock of several places asks to choose one", () => {
		const lines = [
			"Item Name,Variation Name,SKU,Price,Current Quantity Main St,Current Quantity Pier",
			"Coffee,Regular,1,3.5,10,20",
		];
		expect(() => read(lines)).toThrow(
			'several columns for quantity: Current Quantity Main St, Current Quantity Pier. Choose one with --map "Current Quantity Main St=quantity"',
		);
		const map = { quantity: "Current Quantity Pier" };
		expect(read(lines, map).products).toMatchObject([
			{ name: "Coffee", quantity: 20 },
		]);
	});

	test("a Loyverse file is recognized, with a place's name after price and stock", () => {
		const { system, products, passedOver, refused } = read([
			"Handle,SKU,Name,Category,Sold by weight,Option 1 name,Option 1 value,Option 2 name,Option 2 value,Option 3 name,Option 3 value,Default price,Cost,Barcode,SKU of included item,Quantity of included item,Track stock,Available for sale [Duka],Price [Duka],In stock [Duka],Low stock [Duka]",
			"cola,10001,Cola 330 ml,Drinks,N,,,,,,,60,41.5,5449000000996,,,Y,Y,60,24,6",
			"soap,10002,Soap,Home,N,Size,Small,,,,,30,,,,,Y,Y,30,5,",
			"soap,10003,,,N,,Large,,,,,55,,,,,Y,Y,55,3,",
			"rice,,Rice,Food,Y,,,,,,,variable,,0600000000001,,,Y,Y,variable,12.5,2",
			"box,10005,Gift box,Home,N,,,,,,,500,,,,,N,Y,500,,",
			"box,,,,,,,,,,,,,,10002,2,,,,,",
		]);
		expect({ system, passedOver, refused }).toEqual({
			system: "Loyverse",
			passedOver: 1,
			refused: [],
		});
		expect(products).toEqual([
			{
				name: "Cola 330 ml",
				sku: "5449000000996",
				buyingPrice: 41.5,
				sellingPrice: 60,
				quantity: 24,
				lowStock: 6,
				category: "Drinks",
			},
			{
				name: "Soap, Small",
				sku: "10002",
				sellingPrice: 30,
				quantity: 5,
				category: "Home",
			},
			{
				name: "Soap, Large",
				sku: "10003",
				sellingPrice: 55,
				quantity: 3,
				category: "Home",
			},
			{
				name: "Rice",
				sku: "0600000000001",
				quantity: 12.5,
				lowStock: 2,
				category: "Food",
			},
			{
				name: "Gift box",
				sku: "10005",
				sellingPrice: 500,
				category: "Home",
			},
		]);
	});

	test("a WooCommerce file is recognized: variations are products, and their parent is not", () => {
		const { system, products, passedOver } = read([
			'ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Published,"Is featured?","Short description",Description,"Tax status","In stock?",Stock,"Low stock amount","Sale price","Regular price",Categories,Tags,Images,Parent,Position,"Attribute 1 name","Attribute 1 value(s)"',
			'44,variable,vneck,,"V-Neck Tee",1,1,,"A tee",taxable,1,,,,,"Clothing > Tshirts, New",,https://shop.example.com/v.jpg,,0,Color,"Blue, Red"',
			'60,variation,vneck-red,,"V-Neck Tee - Red",1,0,,,taxable,1,8,2,18,20,,,,vneck,0,Color,Red',
			'61,variation,,9780201379624,"V-Neck Tee - Blue",1,0,,,taxable,1,,,,21.5,,,,id:44,1,Color,Blue',
			'70,simple,mug,,Mug,1,0,,,taxable,1,3.5,,,4,"Home\\, Kitchen",,,,0,,',
		]);
		expect({ system, passedOver }).toEqual({
			system: "WooCommerce",
			passedOver: 1,
		});
		const imageUrl = "https://shop.example.com/v.jpg";
		expect(products).toEqual([
			{
				name: "V-Neck Tee - Red",
				sku: "vneck-red",
				sellingPrice: 20,
				quantity: 8,
				lowStock: 2,
				category: "Tshirts",
				imageUrl,
			},
			{
				name: "V-Neck Tee - Blue",
				sku: "9780201379624",
				sellingPrice: 21.5,
				category: "Tshirts",
				imageUrl,
			},
			{
				name: "Mug",
				sku: "mug",
				sellingPrice: 4,
				quantity: 3.5,
				category: "Home, Kitchen",
			},
		]);
	});

	test("a file of invoices gives each product once, without stock", () => {
		const { products, passedOver } = read([
			"InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country",
			"536365,85123A,WHITE HOLDER,6,2010-12-01 08:26:00,2.55,17850.0,United Kingdom",
			"536373,85123A,WHITE HOLDER,6,2010-12-01 09:02:00,2.55,17850.0,United Kingdom",
		]);
		expect(passedOver).toBe(1);
		expect(products).toEqual([
			{ name: "WHITE HOLDER", sku: "85123A", sellingPrice: 2.55 },
		]);
	});

	test("a Counterfoil export is recognized, and its products that aren't on sale stay so", () => {
		const { products, passedOver } = read([
			"name,sku,buyingPrice,sellingPrice,quantity,lowStock,isService,isActive,category,imageUrl",
			"Milk,1,58,65,3,5,0,1,Dairy,",
			"Old milk,2,58,65,3,5,0,0,Dairy,",
		]);
		expect(passedOver).toBe(0);
		expect(products).toMatchObject([
			{ name: "Milk" },
			{ name: "Old milk", isActive: false },
		]);
	});

	test.skipIf(!existsSync(invoices))(
		"a real day of invoices is recognized (skipped without the data set)",
		() => {
			const { system, lines } = readProductCsv(readFileSync(invoices));
			expect(system).toBe("a list of invoices");
			const codes = readFileSync(invoices, "utf8")
				.split("\n")
				.slice(1)
				.map((line) => line.split(",")[1]);
			const named = lines.filter(({ fields }) => fields.name !== undefined);
			expect(named.length).toBeGreaterThan(1_000);
			expect(new Set(named.map(({ fields }) => fields.sku)).size).toBe(
				named.length,
			);
			for (const { fields } of named) expect(codes).toContain(fields.sku);
		},
	);
});

test("columns chosen by the user override recognized ones", () => {
	const { products } = read(["Artikel;VK brutto;name", "Milch;1.5;x"], {
		name: "Artikel",
		sellingPrice: "vk brutto",
	});
	expect(products).toEqual([{ name: "Milch", sellingPrice: 1.5 }]);
	expect(() => read(["name", "x"], { sku: "EAN" })).toThrow(
		"The header has no column EAN. Its columns are: name",
	);
});

test.each([
	[
		"Shopify",
		"Handle,Title,Variant SKU,Variant Barcode,Variant Price",
		"tea,Tea,T1,'0600000000001,5",
		"Variant SKU",
	],
	[
		"Square",
		"Item Name,Variation Name,SKU,GTIN,Price",
		"Tea,Regular,T1,0600000000001,5",
		"SKU",
	],
	[
		"Loyverse",
		"Handle,SKU,Name,Sold by weight,Default price,Barcode",
		"tea,T1,Tea,N,5,0600000000001",
		"SKU",
	],
	[
		"WooCommerce",
		'Name,SKU,Regular price,"GTIN, UPC, EAN, or ISBN"',
		"Tea,T1,5,0600000000001",
		"SKU",
	],
	[
		"no known system",
		"name,sku,barcode,price",
		"Tea,T1,0600000000001,5",
		"sku",
	],
])(
	"a file of %s with SKU and barcode gives a product the barcode, and reports the ignored column",
	(_system, header, line, unused) => {
		const { products, ignored } = read([header, line]);
		expect(products).toEqual([
			{ name: "Tea", sku: "0600000000001", sellingPrice: 5 },
		]);
		expect(ignored).toContain(unused);
	},
);

test("a line without a barcode uses its SKU, whose column is reported as ignored only if a line has both", () => {
	const { products, ignored } = read([
		"name,sku,barcode",
		"Tea,T1,",
		"Milk,,0600000000001",
	]);
	expect(products).toMatchObject([{ sku: "T1" }, { sku: "0600000000001" }]);
	expect(ignored).toEqual([]);
});

test.each([
	[
		"Shopify",
		"Handle,Title,Option1 Value,Variant Price,Status",
		[
			"tea,Tea,Green,5,archived",
			"tea,,Black,5,",
			"cup,Cup,Default Title,6,draft",
			"jar,Jar,Default Title,7,active",
		],
		["Tea, Green", "Tea, Black", "Cup"],
	],
	[
		"Square",
		"Item Name,Variation Name,Price,Archived,Sellable",
		["Tea,Regular,5,Y,Y", "Cup,Regular,6,N,N", "Jar,Regular,7,N,Y"],
		["Tea", "Cup"],
	],
	[
		"Loyverse",
		"Handle,Name,Sold by weight,Default price,Available for sale [A],Available for sale [B]",
		[
			"tea,Tea,N,5,N,N",
			"cup,Cup,N,6,N,Y",
			"jar,Old jar,N,7,N,N",
			"jar,Jar,N,7,Y,Y",
		],
		["Tea", "Old jar"],
	],
	[
		"WooCommerce",
		"ID,Type,SKU,Name,Published,Regular price,Parent",
		[
			"1,variable,tea,Tea,0,,",
			"2,variation,tea-1,Tea - Green,1,5,tea",
			"3,simple,cup,Cup,-1,6,",
			"4,simple,jar,Jar,1,7,",
		],
		["Tea - Green", "Cup"],
	],
])(
	"products that %s doesn't sell are imported as inactive",
	(_system, header, lines, off) => {
		const { products } = read([header, ...lines]);
		expect(
			products
				.filter(({ isActive }) => isActive === false)
				.map(({ name }) => name),
		).toEqual(off);
		expect(products.filter(({ name }) => name === "Jar")).toEqual([
			expect.not.objectContaining({ isActive: expect.anything() }),
		]);
	},
);

test("the price of a place overrides the general one if there is only one place", () => {
	const loyverse = "Handle,Name,Sold by weight,Default price,Price [Duka]";
	expect(read([loyverse, "tea,Tea,N,60,65"]).products).toMatchObject([
		{ sellingPrice: 65 },
	]);
	expect(read([loyverse, "tea,Tea,N,60,"]).products).toMatchObject([
		{ sellingPrice: 60 },
	]);
	const several = `${loyverse},Price [Pier]`;
	expect(read([several, "tea,Tea,N,60,65,70"]).products).toMatchObject([
		{ sellingPrice: 60 },
	]);
	const square = "Item Name,Variation Name,Price,Price Duka";
	expect(read([square, "Tea,Regular,60,65"]).products).toMatchObject([
		{ sellingPrice: 65 },
	]);
});

test("a barcode that a spreadsheet has rounded is refused with a reason", () => {
	const { products, refused } = read([
		"name,barcode",
		"Tea,6.00124E+12",
		"Milk,6001240000001",
	]);
	expect(products).toEqual([{ name: "Milk", sku: "6001240000001" }]);
	expect(refused).toMatchObject([
		{
			line: 2,
			reason: expect.stringMatching(
				/^sku: "6\.00124E\+12" is a barcode that a spreadsheet has rounded/,
			),
		},
	]);
});
