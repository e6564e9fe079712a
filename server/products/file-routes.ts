import * as z from "zod";
import { managing } from "../../sync/entities/entity.ts";
import type { Product } from "../../sync/entities/product.ts";
import { importNote } from "../../sync/protocol/import-notes.ts";
import { importRefusal } from "../../sync/protocol/import-refusals.ts";
import { importLinesMax } from "../../sync/protocol/request-errors.ts";
import { pagesOf } from "../../sync/queries/list-pages.ts";
import { productList } from "../../sync/queries/product.ts";
import type { Deps } from "../deps.ts";
import { readable, toCsv } from "../http/csv.ts";
import { dryRun } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { sendPages } from "../http/stream-list.ts";
import { startCsv } from "../sales/history-routes.ts";
import { fileColumns, readFileDetails, toFileRow } from "./file-rows.ts";
import { readFileInThread, sampleFileInThread } from "./import/file-thread.ts";
import { fields } from "./import/layouts.ts";
import { toWire } from "./import/line-error.ts";
import type { ColumnMap } from "./import/product-file.ts";
import { importProducts, planProductImport } from "./import/products.ts";

const fileMaxBytes = 20_000_000;
const previewMax = 20;
const sampleMax = 8;
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

const upload = {
	types: [
		...["text/csv", "text/tab-separated-values", "text/plain"],
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	],
	maxBytes: fileMaxBytes,
};

/** Routes that export products as CSV, and import them from files. */
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
						toFile(
							pagesOf(shop, caller, productList, {}),
							await readFileDetails(shop, caller),
						),
					);
				},
			}),
		},

		"/api/imports/products": {
			POST: operation({
				summary:
					"Create and update products from a CSV file or an XLSX workbook; with dryRun=1, only show what would change",
				access: "member",
				roles: managing,
				query: z.object({
					dryRun,
					map: columnMap,
					/** The decimal mark of numbers that can be read in two ways, such as 1,250. */
					decimal: z.enum([".", ","]).optional(),
				}),
				upload,
				answers: {
					200: z.object({
						created: z.int(),
						updated: z.int(),
						unchanged: z.int(),
						refused: z.array(importRefusal),
						/** The system that wrote the file, if it is recognized. */
						system: z.string().nullable(),
						/** Columns that were not recognized, and those of which some line has a better one for the field. */
						ignored: z.array(z.string()),
						/** What else was left out or changed. */
						notes: z.array(importNote),
						/** The first lines as parsed. */
						preview: z.array(z.record(z.string(), z.unknown())),
					}),
				},
				async handle({ caller, query, bytes, response }) {
					const csv = await readable(() =>
						readFileInThread(bytes, {
							map: query.map as ColumnMap,
							decimal: query.decimal,
							linesMax: importLinesMax,
						}),
					);
					const plan = query.dryRun
						? await planProductImport(shop, caller.businessId, csv)
						: await importProducts(shop, caller, csv);
					response.json({
						created: plan.created,
						updated: plan.updated,
						unchanged: plan.unchanged,
						refused: plan.refused.map(toWire),
						system: csv.system ?? null,
						ignored: csv.ignored,
						notes: csv.notes,
						preview: csv.lines.slice(0, previewMax).map(({ fields }) => fields),
					});
				},
			}),
		},

		"/api/imports/products/sample": {
			POST: operation({
				summary:
					"Read the header and first rows of a CSV file or an XLSX workbook, with the product field that each column is read as",
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
						await readable(() =>
							sampleFileInThread(
								bytes,
								{ linesMax: importLinesMax },
								sampleMax,
							),
						),
					);
				},
			}),
		},
	};
}

/** Yields the file page by page. */
async function* toFile(
	pages: AsyncGenerator<Product[]>,
	details: Awaited<ReturnType<typeof readFileDetails>>,
): AsyncGenerator<string> {
	yield toCsv([fileColumns]);
	for await (const page of pages)
		yield toCsv(
			page.map((product) => {
				const row: Record<string, unknown> = toFileRow(product, details);
				return fileColumns.map((column) => row[column]);
			}),
		);
}
