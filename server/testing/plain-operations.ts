import { plainEntities, plainMutations } from "../../sync/testing/examples.ts";
import { allRoutes } from "../app.ts";

/** An operation on the records of an entity that tests fill with its examples. */
interface PlainOperation {
	/** As `POST /api/couriers`. */
	name: string;
	/** The example of the mutation that it makes, without the id. */
	body?: Record<string, unknown>;
}

/** The name of an example's record, by the resource in its address: `couriers` for `/api/couriers/:id`. */
export const plainIds: Record<string, string> = Object.fromEntries(
	plainEntities.map(({ name, table }) => [table, name]),
);

/** The operations of such entities under the addresses that records have, as far as they are mounted. */
export const plainOperations: PlainOperation[] = plainEntities.flatMap(
	({ name, table }) => {
		const { id: _, ...body } = exampleOf(`${name}.create`);
		const { set } = exampleOf(`${name}.update`);
		return [
			{ name: `GET /api/${table}` },
			{ name: `POST /api/${table}`, body },
			{ name: `GET /api/${table}/:id` },
			{ name: `PATCH /api/${table}/:id`, body: set as typeof body },
			{ name: `DELETE /api/${table}/:id` },
		].filter(isMounted);
	},
);

function exampleOf(name: string): Record<string, unknown> {
	const mutation = plainMutations.find((one) => one.name === name);
	return (mutation?.examples[0] ?? {}) as Record<string, unknown>;
}

function isMounted({ name }: PlainOperation): boolean {
	const [method = "", path = ""] = name.split(" ");
	// Nothing is asked of them.
	const routes = allRoutes({
		shop: { env: {} },
		queue: { serve() {} },
	} as never);
	return Object.hasOwn(routes[path] ?? {}, method);
}
