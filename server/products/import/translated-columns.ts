/** The columns of WooCommerce in one language. */
export interface WooCommerceColumns {
	name: string;
	sku: string;
	gtin: string;
	price: string;
	stock: string[];
	lowStock: string;
	categories: string;
	images: string;
	published: string;
	type: string;
	parent: string;
}

/** WooCommerce names its columns in the language of who exports them; what is in their cells has the same words in all. */
export const wooCommerces: WooCommerceColumns[] = [
	{
		...{ name: "name", sku: "sku", gtin: "gtinupceanorisbn" },
		...{ price: "regularprice", stock: ["stock"] },
		...{ lowStock: "lowstockamount", categories: "categories" },
		...{ images: "images", published: "published" },
		...{ type: "type", parent: "parent" },
	},
	{
		...{ name: "name", sku: "artikelnummer", gtin: "gtinupceanoderisbn" },
		...{ price: "regularerpreis", stock: ["bestand", "lager"] },
		...{ lowStock: "geringelagermenge", categories: "kategorien" },
		...{ images: "bilder", published: "veroffentlicht" },
		...{ type: "typ", parent: "ubergeordnetesprodukt" },
	},
	{
		...{ name: "nombre", sku: "sku", gtin: "gtinupceanoisbn" },
		...{ price: "precionormal", stock: ["inventario"] },
		...{ lowStock: "cantidaddebajoinventario", categories: "categorias" },
		...{ images: "imagenes", published: "publicado" },
		...{ type: "tipo", parent: "superior" },
	},
	{
		...{ name: "nom", sku: "ugs", gtin: "gtinupceanouisbn" },
		...{ price: "tarifregulier", stock: ["stock"] },
		...{ lowStock: "montantdestockfaible", categories: "categories" },
		...{ images: "images", published: "publie" },
		...{ type: "type", parent: "parent" },
	},
];
