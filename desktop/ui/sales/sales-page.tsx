import {
	Badge,
	Button,
	Drawer,
	Group,
	Loader,
	Stack,
	Text,
	TextInput,
	Title,
	UnstyledButton,
} from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { Sale } from "../../../sync/entities/sale.ts";
import { LoadError } from "../components/load-error.tsx";
import { useFormat } from "../format.ts";
import { findByCode } from "../scanner/product-search.ts";
import { useScanner } from "../scanner/scanner.ts";
import { useShop } from "../session.tsx";
import { useAnswer, useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { useMethodName } from "./method-name.ts";
import { SaleDetail } from "./sale-detail.tsx";

/** The sales history, newest first, filtered by day and search. */
export default function Sales() {
	const { say } = useWords();
	const format = useFormat();
	const nameOf = useMethodName();
	const [open, setOpen] = useState<Sale>();
	const [from, setFrom] = useState("");
	const [to, setTo] = useState("");
	const [typed, setTyped] = useState("");
	const [search] = useDebouncedValue(typed, 250);
	const { shop } = useShop();
	// A product's barcode finds its sales; other codes are searched as text.
	useScanner({
		isKnown: async (code) => (await findByCode(shop, code)) !== undefined,
		async onScan({ code }) {
			setTyped((await findByCode(shop, code))?.name ?? code);
		},
	});
	const days = { ...(from && { from }), ...(to && { to }) };
	const asked = { ...days, ...(search && { search }) };
	const isNarrowed = Object.keys(asked).length > 0;
	const list = useRows("sale.history", asked);
	const { data: totals } = useAnswer("sale.totals", days, {
		enabled: search === "",
	});
	return (
		<Stack className="page" component="section">
			<Group justify="space-between">
				<Title order={1} size="h2">
					{say("app.sales")}
				</Title>
				<Button
					variant="default"
					component="a"
					href={`/api/sales-history.csv?${new URLSearchParams(asked)}`}
					download
				>
					{say("app.export")}
				</Button>
			</Group>
			<Group align="flex-end">
				<TextInput
					type="search"
					label={say("till.search")}
					value={typed}
					onChange={(event) => setTyped(event.currentTarget.value)}
					flex="2 1 240px"
				/>
				<Group flex="1 1 260px">
					<TextInput
						type="date"
						label={say("history.from")}
						value={from}
						onChange={(event) => setFrom(event.currentTarget.value)}
						flex="1 1 130px"
					/>
					<TextInput
						type="date"
						label={say("history.to")}
						value={to}
						onChange={(event) => setTo(event.currentTarget.value)}
						flex="1 1 130px"
					/>
				</Group>
			</Group>
			<LoadError error={list.error} offline="sales.offline" />
			{list.isPending && <Loader aria-label={say("app.loading")} />}
			{list.isSuccess && list.rows.length === 0 && (
				<Text c="dimmed">
					{say(isNarrowed ? "sales.noneFound" : "sales.none")}
				</Text>
			)}
			{search === "" && totals && totals.salesCount > 0 && (
				<Text size="sm" c="dimmed">
					{say("sales.totals", {
						count: totals.salesCount,
						amount: format.money(totals.revenue),
					})}
				</Text>
			)}
			<div>
				{list.rows.map((sale) => (
					<UnstyledButton
						key={sale.id}
						className="row"
						style={{ position: "static" }}
						onClick={() => setOpen(sale)}
					>
						<div className="sale-when">
							<Text>{sale.receiptNumber ?? "–"}</Text>
							<Text c="dimmed" size="sm">
								{format.moment(sale.createdAt)}
							</Text>
						</div>
						{sale.status !== "sold" && (
							<Badge variant="light" color="gray" tt="none">
								{say(
									sale.status === "voided"
										? "receipt.voided"
										: "receipt.refunded",
								)}
							</Badge>
						)}
						<Badge variant="light" color="gray" tt="none" visibleFrom="xs">
							{nameOf(sale.paymentMethod)}
						</Badge>
						<Text className="amount" fw={600} w={120}>
							{format.money(sale.total)}
						</Text>
					</UnstyledButton>
				))}
			</div>
			{list.hasNextPage && (
				<Button
					variant="default"
					size="md"
					loading={list.isFetchingNextPage}
					onClick={() => list.fetchNextPage()}
				>
					{say("app.more")}
				</Button>
			)}
			<Drawer
				opened={open !== undefined}
				onClose={() => setOpen(undefined)}
				position="right"
				title={open?.receiptNumber ?? say("receipt.number")}
			>
				{open && <SaleDetail key={open.id} sale={open} />}
			</Drawer>
		</Stack>
	);
}
