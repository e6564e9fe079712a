import * as z from "zod";
import { toIso } from "../../sync/clock.ts";
import { type Deps, operation, type Routes } from "../routes.ts";

const recentMs = 30 * 24 * 3_600_000;

const count = z.int().min(0);
const stats = z.object({
	users: count,
	usersLast30Days: count,
	businesses: count,
	products: count,
	sales: count,
	salesLast30Days: count,
	reviews: count,
	averageRating: z.number().nullable(),
});

/** Business API, "Other paths": figures of the whole installation, and nothing of any shop's own. */
export function adminRoutes({ shop }: Deps): Routes {
	return {
		"/api/admin/stats": {
			GET: operation({
				summary: "Figures of the whole installation",
				access: "adminSession",
				answers: { 200: stats },
				async handle({ response }) {
					const since = toIso(shop.env.now() - recentMs);
					const row = await shop.store.read((tx) =>
						tx.get(
							`SELECT (SELECT count(*) FROM users) AS users,
               (SELECT count(*) FROM users WHERE created_at >= ?) AS new_users,
               (SELECT count(*) FROM businesses WHERE deleted = 0) AS businesses,
               (SELECT count(*) FROM products WHERE deleted = 0) AS products,
               (SELECT count(*) FROM sales WHERE deleted = 0) AS sales,
               (SELECT count(*) FROM sales WHERE deleted = 0 AND created_at >= ?) AS recent_sales,
               (SELECT count(*) FROM reviews WHERE deleted = 0) AS reviews,
               (SELECT sum(rating) FROM reviews WHERE deleted = 0) AS ratings`,
							since,
							since,
						),
					);
					const count = (name: string) => Number(row?.[name] ?? 0);
					const reviews = count("reviews");
					response.json({
						users: count("users"),
						usersLast30Days: count("new_users"),
						businesses: count("businesses"),
						products: count("products"),
						sales: count("sales"),
						salesLast30Days: count("recent_sales"),
						reviews,
						averageRating:
							reviews === 0
								? null
								: Math.round((count("ratings") / reviews) * 100) / 100,
					});
				},
			}),
		},
	};
}
