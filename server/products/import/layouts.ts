/** Product fields that a file can contain. */
export const fields = [
	"name",
	"sku",
	"buyingPrice",
	"sellingPrice",
	"quantity",
	"lowStock",
	"isService",
	"category",
	"taxClass",
	"imageUrl",
] as const;
export type Field = (typeof fields)[number];

/** Returns a row's cell by its column's plain name, or "" if there is no such column. */
export type Cell = (column: string) => string;
/** Returns the cells of all columns whose plain names have a prefix. */
export type Cells = (begin: string) => string[];

/**
 * A system's file format for products. Column names are plain: lower-case letters and digits only. A name ending in `*` is a
 * prefix that the name of a place follows; with several places, the field counts as empty.
 */
export interface Layout {
	name: string;
	/** Columns that identify a file as this system's. */
	knownBy: string[];
	/** The columns of each field; if one is empty, the next is used. */
	columns: Partial<Record<Field, string[]>>;
	/** The text that distinguishes a variant; it is appended to the name. */
	variants?: string[];
	/** The variant text that means a product has only one variant. */
	onlyVariant?: string;
	/** The column of Counterfoil ids; ids of other systems must not be mistaken for them. */
	id?: string;
	/** Columns that are used but are not fields. */
	marks?: string[];
	/** Names by which other rows refer to this one. */
	keys?(cell: Cell): string[];
	/** The name of the row from which this row inherits empty fields. */
	parent?(cell: Cell): string;
	/** True for a product that is not for sale; undefined if the product's first row decides. */
	isOffSale?(cell: Cell, cells: Cells): boolean | undefined;
	/** True for a row that is not a product, such as a further picture or the header of variants. */
	isPassedOver?(cell: Cell): boolean;
	/** True if rows are sales: a product is read from the first row that names it. */
	repeats?: true;
	/** Whether a category is one path, `Food > Dairy`, or several, `Food > Dairy, New`. */
	categories?: "path" | "paths";
	/** Numeric codes have a leading apostrophe to protect them from spreadsheets. */
	quotedCodes?: true;
}

const handle = {
	keys: (cell: Cell) => [cell("handle")],
	parent: (cell: Cell) => cell("handle"),
};

const loyverse: Omit<Layout, "knownBy"> = {
	name: "Loyverse",
	columns: {
		name: ["name"],
		sku: ["barcode", "sku"],
		buyingPrice: ["cost"],
		sellingPrice: ["price*", "price", "defaultprice"],
		quantity: ["instock", "instock*"],
		lowStock: ["lowstock", "lowstock*"],
		category: ["category"],
	},
	...handle,
	variants: ["option1value", "option2value", "option3value"],
	marks: ["availableforsale*"],
	/** Whether the product is for sale in any place. */
	isOffSale(_cell, cells) {
		const places = cells("availableforsale").filter((word) => word !== "");
		return places.length === 0
			? undefined
			: places.every((word) => /^n/i.test(word));
	},
	/** Passes over the components of the composite item above them. */
	isPassedOver: (cell) =>
		cell("skuofincludeditem") !== "" && cell("name") === "",
};

/** Supported systems, from their documented columns; the first match counts. */
export const layouts: Layout[] = [
	{
		name: "Shopify",
		knownBy: ["handle", "title", "variantprice"],
		columns: {
			name: ["title"],
			sku: ["variantbarcode", "variantsku"],
			buyingPrice: ["costperitem"],
			sellingPrice: ["variantprice"],
			quantity: ["variantinventoryqty"],
			category: ["type", "customproducttype", "productcategory"],
			imageUrl: ["variantimage", "imagesrc"],
		},
		...handle,
		variants: ["option1value", "option2value", "option3value"],
		onlyVariant: "Default Title",
		isPassedOver: (cell) =>
			["title", "option1value", "variantsku", "variantprice"].every(
				(column) => cell(column) === "",
			),
		marks: ["status"],
		isOffSale: (cell) =>
			cell("status") === ""
				? undefined
				: /^(archived|draft)$/i.test(cell("status")),
		categories: "path",
		quotedCodes: true,
	},
	{
		name: "Square",
		knownBy: ["itemname", "variationname"],
		columns: {
			name: ["itemname"],
			sku: ["gtin", "sku"],
			buyingPrice: ["defaultunitcost"],
			sellingPrice: ["price*", "price"],
			quantity: ["currentquantity*"],
			lowStock: ["stockalertcount*"],
			category: ["reportingcategory", "category", "categories"],
		},
		variants: ["variationname"],
		onlyVariant: "Regular",
		marks: ["archived", "sellable"],
		isOffSale: (cell) =>
			/^y/i.test(cell("archived")) || /^n/i.test(cell("sellable")),
		categories: "paths",
	},
	{ ...loyverse, knownBy: ["handle", "name", "soldbyweight"] },
	{ ...loyverse, knownBy: ["name", "sku", "barcode", "defaultprice"] },
	{
		name: "WooCommerce",
		knownBy: ["name", "sku", "regularprice"],
		columns: {
			name: ["name"],
			sku: ["gtinupceanorisbn", "sku"],
			sellingPrice: ["regularprice"],
			buyingPrice: ["costofgoods", "cost"],
			quantity: ["stock"],
			lowStock: ["lowstockamount"],
			category: ["categories"],
			imageUrl: ["images"],
		},
		marks: ["published"],
		isOffSale: (cell) => /^(0|-1)$/.test(cell("published")) || undefined,
		keys: (cell) => [cell("sku"), `id:${cell("id")}`],
		parent: (cell) => cell("parent"),
		isPassedOver: (cell) => /\b(variable|grouped)\b/i.test(cell("type")),
		categories: "paths",
	},
	{
		name: "a list of invoices",
		knownBy: ["invoiceno", "stockcode", "description"],
		// Its quantities are sold quantities, not stock.
		columns: {
			name: ["description"],
			sku: ["stockcode"],
			sellingPrice: ["unitprice"],
		},
		repeats: true,
	},
	{
		name: "Counterfoil",
		knownBy: ["name", "sellingprice", "isactive"],
		columns: {
			name: ["name"],
			sku: ["sku"],
			buyingPrice: ["buyingprice"],
			sellingPrice: ["sellingprice"],
			quantity: ["quantity"],
			lowStock: ["lowstock"],
			isService: ["isservice"],
			category: ["category"],
			taxClass: ["taxclass"],
			imageUrl: ["imageurl"],
		},
		id: "id",
		marks: ["isactive"],
		isPassedOver: (cell) => /^(0|no|false)$/i.test(cell("isactive")),
	},
];

/** Column names recognized in any other file; the first match counts. */
export const commonNames: Record<Field, string[]> = {
	name: ["name", "productname", "product", "description", "title", "item"],
	sku: ["barcode", "ean", "upc", "gtin", "sku", "stockcode", "code"],
	buyingPrice: ["buyingprice", "cost", "costprice", "purchaseprice"],
	sellingPrice: ["sellingprice", "price", "unitprice", "retailprice"],
	quantity: ["quantity", "stock", "qty", "onhand"],
	lowStock: ["lowstock", "reorderlevel"],
	isService: ["isservice", "service"],
	category: ["category", "categoryname"],
	taxClass: ["taxclass"],
	imageUrl: ["imageurl", "image"],
};
