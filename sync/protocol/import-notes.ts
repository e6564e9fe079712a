import * as z from "zod";

/**
 * What an import of products leaves out or changes besides the lines that it refuses.
 *
 * | code | what happens | value | lines |
 * |---|---|---|---|
 * | not_a_product | the line is no product: a further picture, the parts of a set, a repeated sale | | which |
 * | not_on_sale | the other system doesn't sell the product, so it arrives as not on sale | | which |
 * | no_fixed_price | the price is entered at each sale, so none is imported | | which |
 * | second_code | the line has another code besides its barcode, which is left out | | which |
 * | category_part | of a path or list of categories, only one is imported | | which |
 * | check_digit | a barcode's last digit doesn't fit the others; it is imported as it is | | which |
 * | picture_skipped | the address of a picture is kept, but the picture isn't fetched | the first pictures' names | which |
 * | several_places | prices or stock of several places are left out; choose one place's columns | the columns | |
 * | html | the column holds HTML, which is left out | the column | |
 * | other_sheets | only one sheet of the workbook is read | the others | |
 * | guessed_encoding | the file isn't Unicode, so its accents are read as Windows-1252 | | |
 */
export const importNoteCodes = [
	"not_a_product",
	"not_on_sale",
	"no_fixed_price",
	"second_code",
	"category_part",
	"check_digit",
	"picture_skipped",
	"several_places",
	"html",
	"other_sheets",
	"guessed_encoding",
] as const;

/** Something that an import leaves out or changes. */
export const importNote = z.object({
	code: z.enum(importNoteCodes),
	value: z.string().optional(),
	/** The lines' numbers in the file, from 1. */
	lines: z.array(z.int()),
});
export type ImportNote = z.infer<typeof importNote>;
