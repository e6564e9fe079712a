import express, { type Express, type RequestHandler } from "express";
import { accountingRoutes } from "./accounting/routes.ts";
import { adminRoutes } from "./accounts/admin-routes.ts";
import { authRoutes } from "./accounts/auth-routes.ts";
import { authenticate } from "./accounts/authenticate.ts";
import { memberRoutes } from "./accounts/member-routes.ts";
import { sessionListRoutes } from "./accounts/session-list-routes.ts";
import { sessionRoutes } from "./accounts/session-routes.ts";
import { setupRoutes } from "./accounts/setup-routes.ts";
import { staffRoutes } from "./accounts/staff-routes.ts";
import { dashboardRoutes } from "./business/dashboard-routes.ts";
import { hidingCosts } from "./business/hidden-costs.ts";
import { reportRoutes } from "./business/report-routes.ts";
import { reviewRoutes } from "./business/review-routes.ts";
import { businessRoutes } from "./business/routes.ts";
import { countRoutes } from "./counts/routes.ts";
import { accountRoutes } from "./customers/account-routes.ts";
import { identityRoutes } from "./customers/identity-routes.ts";
import { layawayRoutes } from "./customers/layaway-routes.ts";
import { customerRoutes } from "./customers/routes.ts";
import { statementRoutes } from "./customers/statement-routes.ts";
import type { Deps } from "./deps.ts";
import { answerGatewayErrors } from "./gateway/answer-errors.ts";
import { keyRoutes } from "./gateway/key-routes.ts";
import { gatewayRoutes } from "./gateway/routes.ts";
import { spendingRoutes } from "./gateway/spending-routes.ts";
import { assertOneHost } from "./http/connections.ts";
import { answerErrors } from "./http/errors.ts";
import {
	hideFromSearch,
	protectAnswers,
	protectPages,
	stayOnHttps,
} from "./http/headers.ts";
import { healthRoutes } from "./http/health.ts";
import { HttpError } from "./http/http-error.ts";
import { mount } from "./http/mount.ts";
import type { Routes } from "./http/operation.ts";
import { refuseWhenFull } from "./http/overload.ts";
import { nameRequests } from "./http/request-id.ts";
import { serveWebApp } from "./http/web-app.ts";
import { metricsRoutes } from "./metrics/routes.ts";
import { notificationRoutes } from "./notifications/routes.ts";
import { docsRoutes } from "./openapi/routes.ts";
import { serverRoutes } from "./operations/server-routes.ts";
import { categoryRoutes } from "./products/category-routes.ts";
import { codeRoutes } from "./products/code-routes.ts";
import { productFileRoutes } from "./products/file-routes.ts";
import { labelRoutes } from "./products/label-routes.ts";
import { packRoutes } from "./products/pack-routes.ts";
import { pictureRoutes } from "./products/picture-routes.ts";
import { productRoutes } from "./products/routes.ts";
import { stockRoutes } from "./products/stock-routes.ts";
import { releaseRoutes } from "./releases/routes.ts";
import { historyRoutes } from "./sales/history-routes.ts";
import { inboxRoutes } from "./sales/inbox-routes.ts";
import { paymentRoutes } from "./sales/payment-routes.ts";
import { receiptPageRoutes } from "./sales/receipt-page-routes.ts";
import { receiptRoutes } from "./sales/receipt-routes.ts";
import { saleRoutes } from "./sales/routes.ts";
import { cashRoutes } from "./shifts/cash-routes.ts";
import { shiftDayRoutes } from "./shifts/day-routes.ts";
import { shiftRoutes } from "./shifts/routes.ts";
import { statementLineRoutes } from "./statements/routes.ts";
import { deliveryRoutes } from "./suppliers/delivery-routes.ts";
import { supplierRoutes } from "./suppliers/routes.ts";
import { syncRoutes } from "./sync/routes.ts";
import { taxRoutes } from "./taxes/routes.ts";

/** All routes of the server; each resource's file names its own paths. */
export function allRoutes({ shop, ...others }: Deps): Routes {
	const deps = { ...others, shop: hidingCosts(shop) };
	const routes = {
		...gatewayRoutes(deps),
		...healthRoutes(deps),
		...metricsRoutes(deps),
		...serverRoutes(deps),
		...sessionRoutes(deps),
		...sessionListRoutes(deps),
		...setupRoutes(deps),
		...authRoutes(deps),
		...businessRoutes(deps),
		...codeRoutes(deps),
		...productRoutes(deps),
		...labelRoutes(deps),
		...packRoutes(deps),
		...categoryRoutes(deps),
		...productFileRoutes(deps),
		...pictureRoutes(deps),
		...stockRoutes(deps),
		...saleRoutes(deps),
		...historyRoutes(deps),
		...inboxRoutes(deps),
		...memberRoutes(deps),
		...staffRoutes(deps),
		...notificationRoutes(deps),
		...dashboardRoutes(deps),
		...reportRoutes(deps),
		...paymentRoutes(deps),
		...receiptRoutes(deps),
		...receiptPageRoutes(deps),
		...releaseRoutes(deps),
		...reviewRoutes(deps),
		...adminRoutes(deps),
		...syncRoutes(deps),
		...spendingRoutes(deps),
		...keyRoutes(deps),
		...customerRoutes(deps),
		...identityRoutes(deps),
		...statementRoutes(deps),
		...statementLineRoutes(deps),
		...taxRoutes(deps),
		...accountingRoutes(deps),
		...accountRoutes(deps),
		...layawayRoutes(deps),
		...shiftRoutes(deps),
		...countRoutes(deps),
		...supplierRoutes(deps),
		...deliveryRoutes(deps),
		...shiftDayRoutes(deps),
		...cashRoutes(deps),
	};
	return { ...routes, ...docsRoutes(routes) };
}

/** Asked by supervisors, not by tills or browsers. */
const probes = ["/healthz", "/readyz", "/metrics"];

/** A till's additions to the app. */
interface Extras {
	guard: RequestHandler;
	routes(deps: Deps): Routes;
}

/** Builds the Express app with the whole HTTP API of a server. */
export function createApp(deps: Deps, extras?: Extras): Express {
	const app = express();
	app.disable("x-powered-by");
	// No client caches API answers, so an ETag's hash would be wasted.
	app.set("etag", false);
	// Only a proxy on this machine may report that a request came over HTTPS.
	app.set("trust proxy", "loopback");
	if (deps.metrics) app.use(deps.metrics.measure);
	app.use(nameRequests());
	app.use("/api", refuseWhenFull(deps.workload));
	app.use(stayOnHttps());
	app.use(assertOneHost);
	if (extras) app.use(extras.guard);
	const routes = { ...allRoutes(deps), ...extras?.routes(deps) };
	const options = {
		workload: deps.workload,
		authenticate: authenticate.bind(undefined, deps.authenticator),
	};
	const [forPrograms, forAll] = partition(routes, /^\/v1\//);
	// Mounted before what browsers need and programs don't.
	app.use("/v1", protectAnswers());
	mount(app, forPrograms, options);
	app.use(["/api", ...probes, "/r"], protectAnswers());
	app.use("/r", hideFromSearch());
	app.use(protectPages());
	serveWebApp(app, undefined, extras ? "till" : "browser");
	mount(app, forAll, options);

	app.use(() => {
		throw new HttpError(404, "Not found");
	});
	app.use("/v1", answerGatewayErrors(deps.log));
	app.use(answerErrors(deps.log));
	return app;
}

function partition(routes: Routes, paths: RegExp): [Routes, Routes] {
	const { in: matching = [], out: others = [] } = Object.groupBy(
		Object.entries(routes),
		([path]) => (paths.test(path) ? "in" : "out"),
	);
	return [Object.fromEntries(matching), Object.fromEntries(others)];
}
