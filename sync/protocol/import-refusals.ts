import * as z from "zod";

/**
 * Why a line of a product file was refused, besides `invalid_args`, which a mutation would be refused for. Reasons are English
 * sentences for developers; a client words the code in its user's language.
 *
 * | code | what is wrong | field | value |
 * |---|---|---|---|
 * | quotation_marks | its quotation marks are invalid | | |
 * | column_count | it has more or fewer cells than the header | | how many |
 * | not_a_number | the cell isn't a number | which | the cell |
 * | ambiguous_number | the number can be read in two ways, and nothing in the file decides | which | the cell |
 * | not_yes_or_no | the cell is neither yes nor no | which | the cell |
 * | wrong_pack | the cell isn't packs like `Carton;24;1400` | packs | the pack |
 * | rounded_code | a spreadsheet has rounded the barcode | sku, codes, packs | the code |
 * | same_product | an earlier line has the same product | | the earlier line |
 * | several_products | several products have this name or code | name, sku | |
 * | code_taken | another product on sale has the code, or another line | codes, packs | the code |
 * | other_pack_code | the product has the code for another pack, or for its unit | codes, packs | the code |
 * | other_category_tax | an earlier line gives the category another tax class | categoryTaxClass | the earlier line |
 */
export const importRefusalCodes = [
	"quotation_marks",
	"column_count",
	"not_a_number",
	"ambiguous_number",
	"not_yes_or_no",
	"wrong_pack",
	"rounded_code",
	"same_product",
	"several_products",
	"code_taken",
	"other_pack_code",
	"other_category_tax",
] as const;

/** A refused line of a product file. */
export const importRefusal = z.object({
	/** The line's number in the file, from 1. */
	line: z.int(),
	reason: z.string(),
	code: z.enum([...importRefusalCodes, "invalid_args"]),
	field: z.string().optional(),
	value: z.string().optional(),
});
export type ImportRefusal = z.infer<typeof importRefusal>;
