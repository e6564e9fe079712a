import { customerStatement } from "../../sync/queries/statement.ts";
import { toStatement } from "../../sync/receipts/statement-document.ts";
import type { Deps } from "../deps.ts";
import type { Routes } from "../http/operation.ts";
import { documentOperation } from "../sales/send-document.ts";

/** The route of a statement of a customer's account, as JSON, HTML, text or PDF, for rolls of 58 or 80 mm and for A4. */
export function statementRoutes(deps: Deps): Routes {
	return {
		"/api/customers/:id/statement": {
			GET: documentOperation(deps, customerStatement, toStatement),
		},
	};
}
