import {
	Button,
	Card,
	Group,
	Loader,
	Rating,
	SimpleGrid,
	Stack,
	Text,
	Title,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ask } from "../api.ts";
import { messageOf } from "../components/error-message.ts";
import { localeOf, useWords } from "../words/index.ts";
import { AllowedBusinesses } from "./allowed-businesses.tsx";

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
	const { say, language } = useWords();
	const stats = useQuery({
		queryKey: ["stats"],
		queryFn: () => ask<Stats>("GET", "/api/admin/stats"),
	});
	const reviews = useQuery({
		queryKey: ["reviews"],
		queryFn: () => ask<{ reviews: Review[] }>("GET", "/api/reviews"),
	});
	const { data } = stats;
	const moment = new Intl.DateTimeFormat(localeOf(language), {
		dateStyle: "medium",
	});
	return (
		<Stack className="page" component="main" maw={1000} mx="auto">
			<Group justify="space-between">
				<Title order={1} size="h2">
					{say("app.admin")}
				</Title>
				<Button variant="default" onClick={onSignOut}>
					{say("app.signOut")}
				</Button>
			</Group>
			{stats.isPending && <Loader aria-label={say("app.loading")} />}
			{stats.isError && <Text>{messageOf(stats.error)}</Text>}
			{data && (
				<SimpleGrid cols={{ base: 2, sm: 3 }}>
					<Figure
						title={say("admin.users")}
						value={data.users}
						more={say("admin.new", { count: data.usersLast30Days })}
					/>
					<Figure title={say("admin.businesses")} value={data.businesses} />
					<Figure title={say("admin.products")} value={data.products} />
					<Figure
						title={say("admin.sales")}
						value={data.sales}
						more={say("admin.new", { count: data.salesLast30Days })}
					/>
					<Figure title={say("admin.reviews")} value={data.reviews} />
					<Figure
						title={say("admin.rating")}
						value={data.averageRating ?? "–"}
					/>
				</SimpleGrid>
			)}
			<Title order={2} size="h4">
				{say("admin.ai")}
			</Title>
			<AllowedBusinesses />
			<Title order={2} size="h4">
				{say("admin.reviews")}
			</Title>
			{reviews.data?.reviews.map(({ id, rating, text, createdAt }) => (
				<Card key={id} withBorder>
					<Group justify="space-between">
						<Rating value={rating} readOnly aria-label={`${rating} / 5`} />
						<Text size="sm" c="dimmed">
							{moment.format(new Date(createdAt))}
						</Text>
					</Group>
					<Text style={{ whiteSpace: "pre-line" }}>{text}</Text>
				</Card>
			))}
		</Stack>
	);
}

function Figure({
	title,
	value,
	more = "",
}: {
	title: string;
	value: number | string;
	more?: string;
}) {
	const { language } = useWords();
	return (
		<Card withBorder>
			<Text size="sm" c="dimmed">
				{title}
			</Text>
			<Text fz="1.6rem" fw={700}>
				{typeof value === "number"
					? value.toLocaleString(localeOf(language))
					: value}
			</Text>
			<Text size="sm">{more}</Text>
		</Card>
	);
}
