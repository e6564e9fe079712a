import "@mantine/charts/styles.css";
import { BarChart, DonutChart } from "@mantine/charts";
import {
	Anchor,
	Badge,
	Card,
	Group,
	Loader,
	SimpleGrid,
	Stack,
	Table,
	Tabs,
	Text,
	Title,
} from "@mantine/core";
import { Link } from "wouter";
import type { Dashboard } from "../../../sync/queries/dashboard.ts";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { useFormat } from "../format.ts";
import { useMethodName } from "../sales/method-name.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

type Figures = Dashboard["today"];
type TopProduct = Dashboard["topProducts"]["byRevenue"][number];

/** "Today" changes even when nothing is sold. */
const againMs = 30_000;

const methodColors = [
	"var(--chart-bar)",
	"blue.6",
	"orange.6",
	"grape.6",
	"gray.6",
];

/** The shop's figures at a glance. */
export default function DashboardPage() {
	const { say } = useWords();
	const { data, error, isPending } = useAnswer(
		"dashboard.get",
		{},
		{ everyMs: againMs },
	);
	return (
		<Stack className="page" component="section">
			<Title order={1} size="h2">
				{say("app.dashboard")}
			</Title>
			{isPending && <Loader aria-label={say("app.loading")} />}
			<LoadError error={error} offline="sales.offline" />
			{data && <DashboardPanels data={data} />}
		</Stack>
	);
}

function DashboardPanels({ data }: { data: Dashboard }) {
	const { say } = useWords();
	const format = useFormat();
	const nameOf = useMethodName();
	return (
		<>
			<SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
				<FigureCard title={say("dashboard.today")} figures={data.today} />
				<FigureCard
					title={say("dashboard.yesterday")}
					figures={data.yesterday}
				/>
				<FigureCard title={say("dashboard.week")} figures={data.last7Days} />
				<FigureCard title={say("dashboard.month")} figures={data.last30Days} />
			</SimpleGrid>
			<SimpleGrid cols={{ base: 1, md: 2 }}>
				<Panel title={say("dashboard.byDay")}>
					<BarChart
						h={220}
						data={data.salesByDay.map(({ day, revenue }) => ({
							day: format.day(day),
							[say("dashboard.revenue")]: revenue,
						}))}
						dataKey="day"
						series={[
							{ name: say("dashboard.revenue"), color: "var(--chart-bar)" },
						]}
						valueFormatter={format.compact}
						tickLine="none"
					/>
				</Panel>
				<Panel title={say("dashboard.byHour")}>
					<BarChart
						h={220}
						data={data.salesByHour.map(({ hour, revenue }) => ({
							hour: `${hour}`,
							[say("dashboard.revenue")]: revenue,
						}))}
						dataKey="hour"
						series={[{ name: say("dashboard.revenue"), color: "blue.6" }]}
						valueFormatter={format.compact}
						tickLine="none"
					/>
				</Panel>
				<Panel title={say("dashboard.methods")}>
					<Group wrap="nowrap" align="center">
						<DonutChart
							size={140}
							thickness={22}
							withTooltip={false}
							data={data.paymentMethods
								.slice(0, methodColors.length)
								.map(({ paymentMethod, revenue }, i) => ({
									name: nameOf(paymentMethod),
									value: Math.max(0, revenue),
									color: methodColors[i] as string,
								}))}
						/>
						<Stack gap={6} flex={1}>
							{data.paymentMethods.map(({ paymentMethod, revenue }, i) => (
								<Group key={paymentMethod} justify="space-between">
									<Badge
										variant="dot"
										color={methodColors[i] ?? "gray.6"}
										tt="none"
									>
										{nameOf(paymentMethod)}
									</Badge>
									<Text className="amount">{format.money(revenue)}</Text>
								</Group>
							))}
						</Stack>
					</Group>
				</Panel>
				<Panel title={say("dashboard.low")} badge={data.lowStockCount}>
					{data.lowStock.length === 0 ? (
						<Text c="dimmed">{say("dashboard.lowNone")}</Text>
					) : (
						<Table>
							<Table.Tbody>
								{data.lowStock.slice(0, 8).map(({ id, name, quantity }) => (
									<Table.Tr key={id}>
										<Table.Td>
											<Anchor component={Link} href={`/products?id=${id}`}>
												{name}
											</Anchor>
										</Table.Td>
										<Table.Td className="amount">
											{format.quantity(quantity)}
										</Table.Td>
									</Table.Tr>
								))}
							</Table.Tbody>
						</Table>
					)}
				</Panel>
			</SimpleGrid>
			<Panel title={say("dashboard.top")}>
				<Tabs defaultValue="revenue">
					<Tabs.List>
						<Tabs.Tab value="revenue">{say("dashboard.byRevenue")}</Tabs.Tab>
						<Tabs.Tab value="profit">{say("dashboard.byProfit")}</Tabs.Tab>
					</Tabs.List>
					<Tabs.Panel value="revenue">
						<TopProducts products={data.topProducts.byRevenue} of="revenue" />
					</Tabs.Panel>
					<Tabs.Panel value="profit">
						<TopProducts products={data.topProducts.byProfit} of="profit" />
					</Tabs.Panel>
				</Tabs>
			</Panel>
		</>
	);
}

function FigureCard({ title, figures }: { title: string; figures: Figures }) {
	const { say } = useWords();
	const format = useFormat();
	return (
		<Card withBorder>
			<Text size="sm" c="dimmed">
				{title}
			</Text>
			<Text fz="1.6rem" fw={700}>
				{format.money(figures.revenue)}
			</Text>
			<Text size="sm">
				{say("dashboard.sales", { count: figures.salesCount })} ·{" "}
				{say("dashboard.profit", { amount: format.money(figures.profit) })}
			</Text>
			{figures.averageBasket !== null && (
				<Text size="sm" c="dimmed">
					{say("dashboard.basket", {
						amount: format.money(Math.round(figures.averageBasket)),
					})}
				</Text>
			)}
		</Card>
	);
}

function TopProducts({
	products,
	of,
}: {
	products: TopProduct[];
	of: "revenue" | "profit";
}) {
	const format = useFormat();
	return (
		<Table>
			<Table.Tbody>
				{products.map((product) => (
					<Table.Tr key={product.productId}>
						<Table.Td>{product.name ?? product.productId}</Table.Td>
						<Table.Td className="amount">
							{format.quantity(product.quantity)} ×
						</Table.Td>
						<Table.Td className="amount">{format.money(product[of])}</Table.Td>
					</Table.Tr>
				))}
			</Table.Tbody>
		</Table>
	);
}
