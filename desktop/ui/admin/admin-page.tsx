import { useQuery } from "@tanstack/react-query";
import { ask } from "../api.ts";
import { Busy } from "../components/busy.tsx";
import { Button } from "../components/button.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Mark } from "../components/mark.tsx";
import { Panel } from "../components/panel.tsx";
import { Rating } from "../components/rating.tsx";
import { useFormat } from "../format.ts";
import { ServerPanel, useStanding } from "../operator/server-panel.tsx";
import { Sessions } from "../operator/sessions.tsx";
import { addWords, useWords } from "../words/index.ts";
import { AllowedBusinesses } from "./allowed-businesses.tsx";
import { adminWords } from "./words.ts";
import "./admin.css";

addWords(adminWords);

interface Stats {
	users: number;
	usersLast30Days: number;
	businesses: number;
	products: number;
	sales: number;
	salesLast30Days: number;
	reviews: number;
	averageRating: number | null;
}

interface Review {
	id: string;
	rating: number;
	text: string;
	createdAt: string;
}

/** The installation's figures, its reviews and who may use AI. Shows no shop's data. */
export default function Admin({ onSignOut }: { onSignOut(): Promise<void> }) {
	const { say } = useWords();
	const stats = useQuery({
		queryKey: ["stats"],
		queryFn: () => ask<Stats>("GET", "/api/admin/stats"),
	});
	const reviews = useQuery({
		queryKey: ["reviews"],
		queryFn: () => ask<{ reviews: Review[] }>("GET", "/api/reviews"),
	});
	const server = useStanding();
	const { data } = stats;
	const { moment, quantity } = useFormat();
	const figures: [string, number | string, string?][] = data
		? [
				[
					say("admin.users"),
					quantity(data.users),
					say("admin.new", { count: data.usersLast30Days }),
				],
				[say("admin.businesses"), quantity(data.businesses)],
				[say("admin.products"), quantity(data.products)],
				[
					say("admin.sales"),
					quantity(data.sales),
					say("admin.new", { count: data.salesLast30Days }),
				],
				[say("admin.reviews"), quantity(data.reviews)],
				[say("admin.rating"), data.averageRating ?? "–"],
			]
		: [];
	return (
		<main className="page admin">
			<header className="admin-head">
				<Mark />
				<h1>{say("app.admin")}</h1>
				<Button onClick={onSignOut}>{say("app.signOut")}</Button>
			</header>
			{/* What comes late would push away what is there. */}
			{stats.isPending || server.isPending ? (
				<Busy />
			) : (
				<>
					<LoadError error={stats.error} />
					<dl className="admin-figures">
						{figures.map(([title, value, more]) => (
							<div key={title} className="leaf">
								<dt>{title}</dt>
								<dd>{value}</dd>
								{more && <dd className="text-s muted">{more}</dd>}
							</div>
						))}
					</dl>
					<ServerPanel />
					<Sessions />
					<Panel title={say("admin.ai")}>
						<AllowedBusinesses />
					</Panel>
					<Panel title={say("admin.reviews")}>
						<LoadError error={reviews.error} />
						{reviews.data?.reviews.length === 0 && (
							<p className="muted">{say("admin.noReviews")}</p>
						)}
						<div>
							{reviews.data?.reviews.map(({ id, rating, text, createdAt }) => (
								<div key={id} className="panel-row">
									<p className="grow admin-review">{text}</p>
									<Rating value={rating} label={`${rating} / 5`} />
									<span className="text-s muted">{moment(createdAt)}</span>
								</div>
							))}
						</div>
					</Panel>
				</>
			)}
		</main>
	);
}
