/** What a file can say of a product. */
export const fields = [
	"name",
	"sku",
	"buyingPrice",
	"sellingPrice",
	"quantity",
	"lowStock",
	"isService",
	"category",
	"imageUrl",
] as const;
export type Field = (typeof fields)[number];

/** A row's cell by its column's plain name; empty where there is none. */
export type Cell = (column: string) => string;
/** The cells of all columns whose plain names begin so. */
export type Cells = (begin: string) => string[];

/**
 * How a system writes its products. Columns are named in lower case without anything but letters and digits; one that
 * ends in `*` only begins so: the name of a place follows. Where there are several places, it counts as left empty.
 */
export interface Layout {
	name: string;
	/** The columns by which a file is known to be of this system. */
	knownBy: string[];
	/** Where each field is; what the first leaves empty is taken from the next. */
	columns: Partial<Record<Field, string[]>>;
	/** What tells the variants of a product apart, and goes behind its name. */
	variants?: string[];
	/** What a system writes there for the only variant of a product. */
	onlyVariant?: string;
	/** Where our own ids are. Another system's would only look like one of them. */
	id?: string;
	/** Columns that are read, but are no field. */
	marks?: string[];
	/** Under which names other rows refer to this one. */
	keys?(cell: Cell): string[];
	/** The name of the row that says, once for all of a product's rows, what this one leaves empty. */
	parent?(cell: Cell): string;
	/** True for a product that the system keeps but does not sell; undefined where the first of its rows decides. */
	isOffSale?(cell: Cell, cells: Cells): boolean | undefined;
	/** True for a row that is no product of its own: a further picture, or the mere head of its variants. */
	isPassedOver?(cell: Cell): boolean;
	/** Rows are sales and not products: a product is taken from the first that names it. */
	repeats?: true;
	/** The category comes as a path, `Food > Dairy`, or as several of them, `Food > Dairy, New`. */
	categories?: "path" | "paths";
	/** Codes of digits have an apostrophe before them, to keep them from spreadsheets. */
	quotedCodes?: true;
}

const handle = {
	keys: (cell: Cell) => [cell("handle")],
	parent: (cell: Cell) => cell("handle"),
};

const loyverseSale = {
	marks: ["availableforsale*"],
	/** In every place. */
	isOffSale(_cell: Cell, cells: Cells): boolean | undefined {
		const places = cells("availableforsale").filter((word) => word !== "");
		return places.length === 0
			? undefined
			: places.every((word) => /^n/i.test(word));
	},
};

/** The systems whose files are known, by their documented columns. The first that fits a file counts. */
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
	{
		name: "Loyverse",
		knownBy: ["handle", "name", "soldbyweight"],
		columns: loyverseColumns(),
		...handle,
		variants: ["option1value", "option2value", "option3value"],
		...loyverseSale,
		isPassedOver: isLoyverseComponent,
	},
	{
		name: "Loyverse",
		knownBy: ["name", "sku", "barcode", "defaultprice"],
		columns: loyverseColumns(),
		...handle,
		variants: ["option1value", "option2value", "option3value"],
		...loyverseSale,
		isPassedOver: isLoyverseComponent,
	},
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
		// Its quantities were sold, and are not in stock.
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
			imageUrl: ["imageurl"],
		},
		id: "id",
		marks: ["isactive"],
		isPassedOver: (cell) => /^(0|no|false)$/i.test(cell("isactive")),
	},
];

function loyverseColumns(): Layout["columns"] {
	return {
		name: ["name"],
		sku: ["barcode", "sku"],
		buyingPrice: ["cost"],
		sellingPrice: ["price*", "price", "defaultprice"],
		quantity: ["instock", "instock*"],
		lowStock: ["lowstock", "lowstock*"],
		category: ["category"],
	};
}

/** A composite item's parts follow it, a row each. */
function isLoyverseComponent(cell: Cell): boolean {
	return cell("skuofincludeditem") !== "" && cell("name") === "";
}

/** What a column may be called in any other file; the first match counts. */
export const commonNames: Record<Field, string[]> = {
	name: ["name", "productname", "product", "description", "title", "item"],
	sku: ["barcode", "ean", "upc", "gtin", "sku", "stockcode", "code"],
	buyingPrice: ["buyingprice", "cost", "costprice", "purchaseprice"],
	sellingPrice: ["sellingprice", "price", "unitprice", "retailprice"],
	quantity: ["quantity", "stock", "qty", "onhand"],
	lowStock: ["lowstock", "reorderlevel"],
	isService: ["isservice", "service"],
	category: ["category", "categoryname"],
	imageUrl: ["imageurl", "image"],
};
