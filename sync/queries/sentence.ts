const shownMax = 5;

/** As much of the arguments as a sentence needs, in the form in which they travel. */
interface Args {
	id: string;
	name: string;
	set: Record<string, unknown>;
	items: { name: string; quantity: number; price: number }[];
	paymentMethod?: string | null;
	saleId: string;
	reason: string;
	productId: string;
	delta: number;
	rating: number;
	createdAt: string;
}

const sentences: Record<string, (args: Args) => string> = {
	"sale.create": ({ items, paymentMethod }) =>
		`Sold ${listOf(items.map(({ name, quantity, price }) => `${quantity} x ${name} at ${price}`))}, paid by ${paymentMethod ?? "CASH"}`,
	"sale.void": ({ saleId, reason }) => `Voided sale ${saleId}: ${reason}`,
	"sale.refund": ({ saleId, reason, items }) =>
		`Took back ${items.length} ${items.length === 1 ? "line" : "lines"} of sale ${saleId}: ${reason}`,
	"stock.adjust": ({ productId, delta, reason }) =>
		`Moved the stock of product ${productId} by ${delta} (${reason})`,
	"product.create": ({ name }) => `Made product "${name}"`,
	"product.update": ({ id, set }) => `Set ${fieldsOf(set)} of product ${id}`,
	"product.delete": ({ id }) => `Took product ${id} off the shelf`,
	"category.create": ({ name }) => `Made category "${name}"`,
	"category.update": ({ id, set }) => `Set ${fieldsOf(set)} of category ${id}`,
	"category.delete": ({ id }) => `Deleted category ${id}`,
	"business.update": ({ set }) => `Set ${fieldsOf(set)} of the business`,
	"business.backdate": ({ createdAt }) =>
		`Dated the business back to ${createdAt}`,
	"review.create": ({ rating }) => `Reviewed the app with ${rating}`,
};

/**
 * What a mutation was to do, for a person to read.
 *
 * @param args as they travel, checked before
 */
export function sentenceOf(name: string, args: Args): string {
	return sentences[name]?.(args) ?? name;
}

function fieldsOf(set: Record<string, unknown>): string {
	return listOf(
		Object.entries(set).map(
			([field, value]) => `${field} = ${JSON.stringify(value)}`,
		),
	);
}

function listOf(parts: string[]): string {
	const shown = parts.slice(0, shownMax).join(", ");
	const more = parts.length - shownMax;
	return more > 0 ? `${shown} and ${more} more` : shown;
}
