import type { Field } from "./layouts.ts";

/**
 * Column names recognized in any other file, in English, Swahili, French, German and Spanish, without accents; the first
 * match counts.
 */
export const commonNames: Record<Field, string[]> = {
	name: [
		...["name", "productname", "itemname", "product", "description"],
		...["title", "item", "articlename"],
		...["jina", "jinalabidhaa", "bidhaa"],
		...["nom", "nomduproduit", "nomdelarticle", "produit", "article"],
		...["designation", "libelle"],
		...["bezeichnung", "artikelbezeichnung", "artikelname", "artikel"],
		...["produktname", "produkt"],
		...["nombre", "nombredelproducto", "producto", "articulo"],
		...["descripcion"],
	],
	sku: [
		...["barcode", "barcodes", "ean", "ean13", "upc", "gtin"],
		...["msimbopau", "codebarre", "codebarres", "codeabarres"],
		...["strichcode", "codigodebarras"],
		...["sku", "stockcode", "code", "itemcode", "productcode", "itemnumber"],
		...["msimbo", "ugs", "reference", "ref", "codearticle"],
		...["artikelnummer", "artnr", "codigo", "referencia"],
	],
	codes: ["codes", "othercodes", "furthercodes", "misimbo", "autrescodes"],
	packs: ["packs", "pakiti", "conditionnements", "gebinde", "paquetes"],
	buyingPrice: [
		...["buyingprice", "cost", "costprice", "unitcost", "purchaseprice"],
		...["beiyakununua", "beiyakununulia", "gharama"],
		...["prixdachat", "prixachat", "prixdachatht", "coutunitaire", "cout"],
		...["einkaufspreis", "ekpreis", "eknetto", "ek"],
		...["preciodecompra", "preciocompra", "preciodecosto", "costo", "coste"],
	],
	sellingPrice: [
		...["sellingprice", "price", "unitprice", "retailprice", "saleprice"],
		...["salesprice", "beiyakuuza", "beiyakuuzia", "bei"],
		...["prixdevente", "prixvente", "prixttc", "tarifregulier", "prix"],
		...["verkaufspreis", "vkpreis", "vkbrutto", "bruttopreis", "vk", "preis"],
		...["preciodeventa", "precioventa", "pvp", "precionormal", "precio"],
	],
	quantity: [
		...["quantity", "stock", "qty", "onhand", "instock"],
		...["quantityonhand", "qtyonhand", "stockquantity", "currentstock"],
		...["idadi", "kiasi", "zilizopo", "akiba"],
		...["quantite", "qte", "quantiteenstock", "enstock"],
		...["lagerbestand", "bestand", "menge", "anzahl"],
		...["cantidad", "existencias", "inventario"],
	],
	lowStock: [
		...["lowstock", "reorderlevel", "reorderpoint", "minimumstock"],
		...["minstock", "onyazikibaki", "kiwangochachini"],
		...["stockminimum", "stockminimal", "stockmin", "seuildalerte"],
		...["mindestbestand", "meldebestand"],
		...["stockminimo", "existenciasminimas"],
	],
	isService: [
		...["isservice", "service", "huduma", "estunservice"],
		...["dienstleistung", "servicio", "esservicio"],
	],
	category: [
		...["category", "categoryname", "productcategory", "department"],
		...["aina", "kundi", "categorie", "famille", "rayon"],
		...["kategorie", "warengruppe", "categoria", "familia"],
	],
	taxClass: [
		...["taxclass", "darajalakodi", "categoriedetaxe", "classedetaxe"],
		...["steuerklasse", "clasedeimpuesto"],
	],
	categoryTaxClass: ["categorytaxclass"],
	unit: [
		...["unit", "unitofmeasure", "uom", "kipimo", "unite"],
		...["einheit", "unidad"],
	],
	imageUrl: [
		...["imageurl", "image", "picture", "pictureurl", "photo"],
		...["picha", "anwaniyapicha", "urldelimage", "bild", "bildurl"],
		...["imagen", "foto"],
	],
	isActive: [
		...["isactive", "active", "onsale", "availableforsale", "inauzwa"],
		...["actif", "aktiv", "activo"],
	],
};
