import { type WooCommerceColumns, wooCommerces } from "./translated-columns.ts";

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
	"categoryTaxClass",
	"unit",
	"codes",
	"packs",
	"imageUrl",
	"isActive",
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
	/** True if a variant's text also names what varies: `Size: S, Color: Red`. */
	namesOptions?: true;
	/** True for a service, whose stock isn't counted. */
	isService?(cell: Cell): boolean;
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
	/** Whether a category is one path, `Food > Dairy` or `All / Food / Dairy`, or several, `Food > Dairy, New`. */
	categories?: "path" | "paths" | "slashes";
	/** Numeric codes have a leading apostrophe to protect them from spreadsheets. */
	quotedCodes?: true;
}

const isNo = (word: string) => /^(n|no|0|false)$/i.test(word);

const handleOf = (cell: Cell) => cell("handle") || cell("urlhandle");
const handle = {
	keys: (cell: Cell) => [handleOf(cell)],
	parent: handleOf,
};

/** Old and new columns of Shopify; only a file's own are found. */
const shopify: Omit<Layout, "knownBy"> = {
	name: "Shopify",
	columns: {
		name: ["title"],
		sku: ["variantbarcode", "barcode", "variantsku", "sku"],
		buyingPrice: ["costperitem"],
		sellingPrice: ["variantprice", "price"],
		quantity: ["variantinventoryqty", "inventoryquantity"],
		category: ["type", "customproducttype", "productcategory"],
		imageUrl: [
			"variantimage",
			"variantimageurl",
			"imagesrc",
			"productimageurl",
		],
	},
	...handle,
	variants: ["option1value", "option2value", "option3value"],
	onlyVariant: "Default Title",
	isPassedOver: (cell) =>
		[
			...["title", "option1value", "variantsku", "sku"],
			...["variantprice", "price"],
		].every((column) => cell(column) === ""),
	marks: ["handle", "urlhandle", "status", "published"],
	/** Published is about the web shop, so it counts only in files that are older than Status. */
	isOffSale(cell) {
		if (cell("status") !== "")
			return /^(archived|draft)$/i.test(cell("status"));
		return cell("published") === "" ? undefined : isNo(cell("published"));
	},
	categories: "path",
	quotedCodes: true,
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
	marks: ["handle", "availableforsale*"],
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

/** The labels and the field names of Odoo's columns, which an export has one or the other of. */
const odoo: Omit<Layout, "knownBy"> = {
	name: "Odoo",
	columns: {
		name: ["name", "displayname"],
		sku: ["barcode", "internalreference", "defaultcode"],
		buyingPrice: ["cost", "standardprice"],
		sellingPrice: [
			...["salesprice", "saleprice", "publicprice"],
			...["lstprice", "listprice"],
		],
		quantity: ["quantityonhand", "qtyavailable"],
		category: ["productcategory", "categid", "category"],
	},
	variants: [
		...["variantvalues", "productvalues"],
		"producttemplatevariantvalueids",
	],
	namesOptions: true,
	marks: [
		...["producttype", "detailedtype", "type"],
		...["active", "canbesold", "saleok"],
	],
	isOffSale: (cell) =>
		["active", "canbesold", "saleok"].some((column) => isNo(cell(column))),
	isService: (cell) =>
		["producttype", "detailedtype", "type"].some((column) =>
			/^service$/i.test(cell(column)),
		),
	/** Passes over further values of the product above them. */
	isPassedOver: (cell) =>
		["name", "displayname", "barcode", "internalreference"].every(
			(column) => cell(column) === "",
		),
	categories: "slashes",
};

const lightspeedX: Layout = {
	name: "Lightspeed X-Series",
	knownBy: ["handle", "supplyprice", "retailprice"],
	columns: {
		name: ["name"],
		sku: ["sku"],
		buyingPrice: ["supplyprice"],
		sellingPrice: ["retailprice"],
		quantity: ["inventory*"],
		lowStock: ["reorderpoint*"],
		category: ["productcategory", "type"],
	},
	...handle,
	variants: [
		...["variantoptiononevalue", "variantoptiontwovalue"],
		"variantoptionthreevalue",
	],
	marks: ["handle", "active"],
	isOffSale: (cell) =>
		cell("active") === "" ? undefined : isNo(cell("active")),
	/** Passes over the parts of the composite product above them. */
	isPassedOver: (cell) => cell("compositesku") !== "" && cell("name") === "",
};

const lightspeedR: Layout = {
	name: "Lightspeed R-Series",
	knownBy: ["systemid", "customsku", "defaultcost"],
	columns: {
		name: ["item", "description"],
		sku: [
			...["upc", "ean", "customsku"],
			...["manufactsku", "manufacturersku", "systemid"],
		],
		buyingPrice: ["defaultcost"],
		sellingPrice: ["price", "defaultprice", "msrp"],
		quantity: ["qty", "quantityonhand"],
		lowStock: ["reorderpoint"],
		/** The deepest that a row names. */
		category: [
			...[9, 8, 7, 6, 5, 4, 3, 2, 1].map((depth) => `subcategory${depth}`),
			"category",
		],
	},
	marks: ["archived"],
	isOffSale: (cell) => /^(y|yes|1|true)$/i.test(cell("archived")),
};

function wooCommerce(own: WooCommerceColumns): Layout {
	return {
		name: "WooCommerce",
		knownBy: [own.name, own.sku, own.price],
		columns: {
			name: [own.name],
			sku: [own.gtin, own.sku],
			sellingPrice: [own.price],
			buyingPrice: ["costofgoods", "cost"],
			quantity: own.stock,
			lowStock: [own.lowStock],
			category: [own.categories],
			imageUrl: [own.images],
		},
		marks: [own.published, own.type, own.parent, "id"],
		isOffSale: (cell) => /^(0|-1)$/.test(cell(own.published)) || undefined,
		keys: (cell) => [cell(own.sku), `id:${cell("id")}`],
		parent: (cell) => cell(own.parent),
		isPassedOver: (cell) => /\b(variable|grouped)\b/i.test(cell(own.type)),
		categories: "paths",
	};
}

/** Supported systems, from their documented columns; the first match counts. */
export const layouts: Layout[] = [
	{ ...shopify, knownBy: ["handle", "title", "variantprice"] },
	{ ...shopify, knownBy: ["urlhandle", "title", "price"] },
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
		marks: ["archived", "sellable", "itemtype"],
		isOffSale: (cell) =>
			/^y/i.test(cell("archived")) || /^n/i.test(cell("sellable")),
		isService: (cell) => /service/i.test(cell("itemtype")),
		categories: "paths",
	},
	{ ...loyverse, knownBy: ["handle", "name", "soldbyweight"] },
	{ ...loyverse, knownBy: ["name", "sku", "barcode", "defaultprice"] },
	...wooCommerces.map(wooCommerce),
	lightspeedX,
	lightspeedR,
	{ ...odoo, knownBy: ["name", "internalreference", "salesprice"] },
	{ ...odoo, knownBy: ["name", "internalreference", "saleprice"] },
	{ ...odoo, knownBy: ["name", "defaultcode", "listprice"] },
	{ ...odoo, knownBy: ["displayname", "internalreference", "publicprice"] },
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
			codes: ["codes"],
			packs: ["packs"],
			buyingPrice: ["buyingprice"],
			sellingPrice: ["sellingprice"],
			quantity: ["quantity"],
			lowStock: ["lowstock"],
			isService: ["isservice"],
			category: ["category"],
			taxClass: ["taxclass"],
			categoryTaxClass: ["categorytaxclass"],
			unit: ["unit"],
			imageUrl: ["imageurl"],
			isActive: ["isactive"],
		},
		id: "id",
	},
];
