import * as z from "zod";
import { managing } from "../../sync/entities/entity.ts";
import type { Product } from "../../sync/entities/product.ts";
import { importRefusal } from "../../sync/protocol/import-refusals.ts";
import { importLinesMax } from "../../sync/protocol/request-errors.ts";
import { pagesOf } from "../../sync/queries/list-pages.ts";
import { productList } from "../../sync/queries/product.ts";
import type { Deps } from "../deps.ts";
import { readable, toCsv } from "../http/csv.ts";
import { queryText } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { sendPages } from "../http/stream-list.ts";
import { startCsv } from "../sales/history-routes.ts";
import { readProductCsvInThread } from "./import/csv-thread.ts";
import { fields } from "./import/layouts.ts";
import { toWire } from "./import/line-error.ts";
import { type ColumnMap, sampleProductCsv } from "./import/product-csv.ts";
import { importProducts, planProductImport } from "./import/products.ts";

const fileMaxBytes = 20_000_000;
const previewMax = 20;
const sampleMax = 8;
/** The last two columns mark the file as Counterfoil's and identify each line's product. */
const columns = [...fields, "isActive", "id"];

/** The columns that a person chose, as JSON: `{"name":"Item","sku":null}`. Fields that are left out are recognized. */
const columnMap = z
	.string()
	.max(5_000)
	.transform((text, context): unknown => {
		try {
			return JSON.parse(text);
		} catch {
			context.addIssue({ code: "custom", message: "Must be JSON" });
			return z.NEVER;
		}
	})
	.pipe(z.partialRecord(z.enum(fields), z.string().nullable()))
	.default({});

const upload = { types: ["text/csv"], maxBytes: fileMaxBytes };

/** Routes that export and import products as CSV. */
export function productFileRoutes({ shop }: Deps): Routes {
	return {
		"/api/products.csv": {
			GET: operation({
				summary:
					"Export all active products as a CSV file that can be imported",
				access: "member",
				answers: { 200: { "text/csv": z.string() } },
				async handle({ caller, response }) {
					startCsv(response, "products.csv");
					await sendPages(
						response,
						toFile(pagesOf(shop, caller, productList, {})),
					);
				},
			}),
		},

		"/api/imports/products": {
			POST: operation({
				summary:
					"Create and update products from a CSV file; with dryRun=1, only show what would change",
				access: "member",
				roles: managing,
				query: z.object({ dryRun: queryText, map: columnMap }),
				upload,
				answers: {
					200: z.object({
						created: z.int(),
						updated: z.int(),
						unchanged: z.int(),
						refused: z.array(importRefusal),
						/** Columns that were not recognized. */
						ignored: z.array(z.string()),
						/** The first lines as parsed. */
						preview: z.array(z.record(z.string(), z.unknown())),
					}),
				},
				async handle({ caller, query, bytes, response }) {
					const csv = await readable(() =>
						readProductCsvInThread(
							bytes,
							query.map as ColumnMap,
							importLinesMax,
						),
					);
					const plan =
						query.dryRun === "1"
							? await planProductImport(shop, caller.businessId, csv)
							: await importProducts(shop, caller, csv);
					response.json({
						created: plan.created,
						updated: plan.updated,
						unchanged: plan.unchanged,
						refused: plan.refused.map(toWire),
						ignored: csv.ignored,
						preview: csv.lines.slice(0, previewMax).map(({ fields }) => fields),
					});
				},
			}),
		},

		"/api/imports/products/sample": {
			POST: operation({
				summary:
					"Read a CSV file's header and first rows, with the product field that each column is read as",
				access: "member",
				roles: managing,
				upload,
				answers: {
					200: z.object({
						header: z.array(z.string()),
						/** By column; null for a column that isn't recognized. */
						fields: z.array(z.enum(fields).nullable()),
						rows: z.array(z.array(z.string())),
					}),
				},
				async handle({ bytes, response }) {
					response.json(
						await readable(async () => sampleProductCsv(bytes, sampleMax)),
					);
				},
			}),
		},
	};
}

/** Yields the file page by page. */
async function* toFile(
	pages: AsyncGenerator<Product[]>,
): AsyncGenerator<string> {
	yield toCsv([columns]);
	for await (const page of pages)
		yield toCsv(
			page.map((row) => columns.map((column) => cellOf(row, column))),
		);
}

function cellOf(row: Record<string, unknown>, column: string): unknown {
	if (column !== "category") return row[column];
	return (row.category as Product["category"])?.name;
}
