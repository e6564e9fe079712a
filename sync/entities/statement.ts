import * as z from "zod";
import { defineEntity, defineMutation, managing } from "./entity.ts";
import {
	positiveAmount,
	recordId,
	requiredText,
	text,
	timestamp,
} from "./fields.ts";
import { paymentCode } from "./payment.ts";

/** The most lines of one mutation: a longer statement is imported by several. */
export const statementLinesMax = 1_000;

/** The payment method that a statement is of. With a code it makes an id. */
const method = requiredText(20);

export const statementLineRow = z
	.object({
		id: recordId,
		businessId: recordId,
		method,
		code: paymentCode,
		amount: positiveAmount,
		/** Who paid, as far as the statement shows it. */
		payer: text(200).nullable(),
		paidAt: timestamp,
		userId: recordId.nullable(),
		/** When it was imported. */
		createdAt: timestamp,
	})
	.meta({ id: "StatementLine" });

/** A payment that the operator says was received: a fact, whatever was sold for it. */
export const statementLine = defineEntity({
	name: "statementLine",
	table: "statement_lines",
	row: statementLineRow,
});

/** A payment is one line of its method's statements. */
export const statementLineId = (method: string, code: string) =>
	`${method}:${code}`;

const line = z.strictObject({
	code: paymentCode,
	amount: positiveAmount,
	payer: statementLineRow.shape.payer.default(null),
	paidAt: timestamp,
});

/** Records what a statement or the operator's messages say was received. Lines that are known already change nothing. */
export const statementImport = defineMutation({
	name: "statement.import",
	args: z.strictObject({
		method,
		lines: z.array(line).min(1).max(statementLinesMax),
	}),
	roles: managing,
	sentence: ({ method, lines }) =>
		`Imported ${lines.length} ${lines.length === 1 ? "payment" : "payments"} of a statement of ${method}`,
	examples: [
		{
			method: "MPESA",
			lines: [
				{
					...{ code: "UIBJN5YMQC", amount: 50, payer: "0790***511" },
					paidAt: "2026-09-11T07:15:00.000Z",
				},
				{ code: "UIB9B1U5VV", amount: 120, paidAt: "2026-09-11T07:20:00.000Z" },
			],
		},
	],
	async apply(context, { method, lines }) {
		const { businessId, userId, at: createdAt } = context;
		for (const line of lines) {
			const id = statementLineId(method, line.code);
			// A message and a file tell the same payment with other seconds and names: the first stays.
			if (await context.find(statementLine, id)) continue;
			await context.insert(statementLine, {
				...{ id, businessId, method, ...line, userId, createdAt },
			});
		}
	},
});
