import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ColumnMap } from "./columns.ts";
import { type ProductLine, readProductCsv } from "./product-file.ts";

const samples = join(import.meta.dirname, "testing/samples");

/** A file of each system, its products, what is said of them, and a column that is left out. */
const expected: {
	file: string;
	system: string;
	map?: ColumnMap;
	products: string[];
	notes: string[];
	ignored: string;
}[] = [
	{
		file: "shopify",
		system: "Shopify",
		products: [
			"Kikoi, Blue, L; 6001234567890; 1500; 900; 7; ; Textiles",
			"Kikoi, Red, L; KIK-RL; 1550; 900; -1; ; Textiles",
			"Sisal basket; BASKET; 800; 350; 3; ; ; off",
		],
		notes: [
			"html Body (HTML)",
			...[
				"not_a_product 4",
				"second_code 2",
				"picture_skipped kikoi-blue.jpg, kikoi.jpg 2 3",
			],
			...["not_on_sale 5", "check_digit 2"],
		],
		ignored: "Variant Compare At Price",
	},
	{
		file: "shopify-2025",
		system: "Shopify",
		products: [
			"Chai masala, 50 g; 6009876543210; 120; 70; 40; ; Spices",
			"Chai masala, 200 g; CHM-200; 400; 240; 12; ; Spices",
			"Old blend; OLD; 90; ; 0; ; Spices; off",
		],
		notes: [
			...["html Description", "second_code 2", "not_on_sale 4"],
			"check_digit 2",
		],
		ignored: "Compare-at price",
	},
	{
		file: "square",
		system: "Square",
		products: [
			"Coffee, Large; SQ-1; 3.5; ; 10; 4; Hot drinks",
			"Coffee, Small; 00012345678905; 2.5; ; 8; ; Hot drinks",
			"Haircut; CUT; ; ; ; ; Salon; service",
			"Christmas cake; CAKE; 25; ; 0; ; Cakes; off",
		],
		notes: [
			"html Description",
			...["second_code 3", "no_fixed_price 4", "category_part 5"],
			"not_on_sale 5",
		],
		ignored: "Online Sale Price",
	},
	{
		file: "loyverse",
		system: "Loyverse",
		map: {
			sellingPrice: "Price [Pwani]",
			quantity: "In stock [Pwani]",
			lowStock: "Low stock [Pwani]",
		},
		products: [
			"Cola 330 ml; 5449000000996; 65; 41.5; 12; 3; Drinks",
			"Shirt, Small; 10002; 500; 300; 0; ; Clothes",
			"Shirt, Large; 10003; 550; 300; 0; ; Clothes; off",
			"Hamper; 10005; 1500; 0; ; ; Gifts",
		],
		notes: [
			"several_places Price [Soko], In stock [Soko], Low stock [Soko]",
			...["second_code 2", "not_on_sale 4", "not_a_product 6"],
		],
		ignored: "In stock [Soko]",
	},
	...[
		["woocommerce", "Description", "Sale price"],
		["woocommerce.de", "Beschreibung", "Angebotspreis"],
		["woocommerce.es", "Descripción", "Precio rebajado"],
		["woocommerce.fr", "Description", "Tarif promo"],
	].map(([file = "", described, ignored = ""]) => ({
		...{ file, system: "WooCommerce", ignored },
		products: [
			"Tee - Red; tee-red; 20; ; 8; 2; Tees",
			"Tee - Blue; 9780201379624; 21.5; ; ; ; Tees",
			"Mug; mug; 4; ; 3; ; Home, Kitchen; off",
		],
		notes: [
			`html ${described}`,
			...[
				"not_a_product 2",
				"picture_skipped tee.jpg, tee.jpg 3 4",
				"not_on_sale 5",
			],
		],
	})),
	{
		file: "odoo",
		system: "Odoo",
		products: [
			"Stool; 5901234123457; 49; 25; 7; ; Stools",
			"Desk, White, Steel; DESK-W; 1250; 800; 2; ; Furniture",
			"Delivery; DEL; 10; 0; 0; ; All; service",
			"Spare leg; LEG; 5; 2; 30; ; Furniture; off",
		],
		notes: [
			...["second_code 2", "category_part 2 3 6", "not_a_product 4"],
			"not_on_sale 6",
		],
		ignored: "Sales Description",
	},
	{
		file: "lightspeed-x",
		system: "Lightspeed X-Series",
		products: [
			"Table wine, 2022; 20001; 12.95; 6.5; 24; 6; Wine",
			"Table wine, 2023; 20002; 13.95; 7; 0; 6; Wine; off",
			"Case of wine; 20003; 75; 39; ; ; Wine",
		],
		notes: ["html description", "not_on_sale 3", "not_a_product 5"],
		ignored: "tax_name",
	},
	{
		file: "lightspeed-r",
		system: "Lightspeed R-Series",
		products: [
			"Atlas of the coast; 9789462673359; 19.9; 11.08; 4; ; Maps",
			"Pen, blue; 036000291452; 1250; 0.4; 1200; ; Stationery",
			"Chalk; 210000000003; 2; 1; 0; ; Stationery; off",
		],
		notes: ["second_code 2 3", "not_on_sale 4"],
		ignored: "Custom SKU",
	},
];

test.each(expected)(
	"a file of $system is read as it comes: $file",
	(sample) => {
		const { map } = sample;
		const bytes = readFileSync(join(samples, `${sample.file}.csv`));
		const read = readProductCsv(bytes, { map });
		expect(read.refused).toEqual([]);
		expect(read.system).toBe(sample.system);
		expect(read.lines.map(({ fields }) => inShort(fields))).toEqual(
			sample.products,
		);
		expect(
			read.notes
				.map(({ code, value, lines }) =>
					[...[code, ...(value === undefined ? [] : [value])], ...lines].join(
						" ",
					),
				)
				.toSorted(),
		).toEqual(sample.notes.toSorted());
		expect(read.ignored).toContain(sample.ignored);
	},
);

function inShort(fields: ProductLine["fields"]): string {
	const { name, sku, sellingPrice, buyingPrice, quantity, lowStock } = fields;
	return [
		...[name, sku, sellingPrice, buyingPrice, quantity, lowStock],
		fields.category,
		...(fields.isService ? ["service"] : []),
		...(fields.isActive === false ? ["off"] : []),
	].join("; ");
}
