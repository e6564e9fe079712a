import {
	Badge,
	Button,
	Drawer,
	Group,
	SegmentedControl,
	Stack,
	Text,
	TextInput,
	Title,
	UnstyledButton,
} from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useSearch } from "wouter";
import type { Product } from "../../../sync/entities/product.ts";
import { LoadError } from "../components/load-error.tsx";
import { useFormat } from "../format.ts";
import { beep } from "../scanner/beep.ts";
import { isMisread } from "../scanner/check-digit.ts";
import { findByCode, useProductSearch } from "../scanner/product-search.ts";
import { useScanner } from "../scanner/scanner.ts";
import { useMayManage, useShop } from "../session.tsx";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { Categories } from "./categories.tsx";
import { Import } from "./import.tsx";
import { Picture } from "./picture.tsx";
import { ProductForm } from "./product-form.tsx";
import { Stock } from "./stock.tsx";

const rowHeight = 56;
/** Loads more when this many rows are left below the visible ones. */
const rowsAhead = 50;

/** All products: searched instantly, however many there are, and edited also offline. */
export default function Products() {
	const { say } = useWords();
	const { shop } = useShop();
	const mayManage = useMayManage();
	const asked = new URLSearchParams(useSearch());
	const [words, setWords] = useState("");
	const [editedId, setEdited] = useState<string | undefined>(
		asked.has("add") ? "new" : (asked.get("id") ?? undefined),
	);
	const [moved, setMoved] = useState(0);
	const product = useAnswer(
		"product.get",
		{ id: editedId ?? "" },
		{ enabled: editedId !== undefined && editedId !== "new" },
	).data;
	const edited =
		editedId === "new" ? "new" : product?.id === editedId ? product : undefined;
	const [scanned, setScanned] = useState("");
	const scanIntoForm = useRef<(code: string) => Promise<void>>(null);
	const [isActive, setActive] = useState(true);
	const { total: inactive = 0 } = useCount("inactive");
	const show = isActive || inactive === 0 ? "active" : "inactive";
	const isSearched = show === "active" && words.trim() !== "";
	const { products, isKnown, readMore, error } = useProductSearch(
		isSearched ? words : "",
		null,
		show,
	);
	const { total = 0 } = useCount(show);

	useScanner({
		isKnown: async (code) =>
			edited === undefined
				? (await findByCode(shop, code)) !== undefined
				: document.activeElement?.getAttribute("data-path") === "sku",
		async onScan({ code }) {
			if (edited !== undefined) return scanIntoForm.current?.(code);
			const product = await findByCode(shop, code);
			beep(product !== undefined);
			if (!mayManage || isMisread(code)) setWords(code);
			else if (product) setEdited(product.id);
			else add(code);
		},
	});

	function add(code: string): void {
		setScanned(code);
		setEdited("new");
	}

	return (
		<Stack className="page" h="100%" component="section">
			<Group justify="space-between">
				<Title order={1} size="h2">
					{say("app.products")}
				</Title>
				{mayManage && (
					<Group gap="xs">
						<Button
							variant="default"
							component="a"
							href="/api/products.csv"
							download
							size="md"
						>
							{say("app.export")}
						</Button>
						<Categories />
						<Import />
						<Button
							size="md"
							leftSection={<Plus size={18} aria-hidden />}
							onClick={() => add("")}
						>
							{say("products.add")}
						</Button>
					</Group>
				)}
			</Group>
			<TextInput
				size="md"
				type="search"
				aria-label={say("till.search")}
				placeholder={say("till.search")}
				maxLength={500}
				value={words}
				onChange={(event) => setWords(event.currentTarget.value)}
			/>
			<Group justify="space-between">
				<Text size="sm" c="dimmed" role="status">
					{say("products.count", {
						count: isSearched ? products.length : total,
					})}
				</Text>
				{inactive > 0 && (
					<SegmentedControl
						value={show}
						onChange={(value) => setActive(value === "active")}
						data={[
							{ value: "active", label: say("products.active") },
							{ value: "inactive", label: say("products.inactive") },
						]}
					/>
				)}
			</Group>
			<LoadError error={error} />
			{isKnown && (
				<List
					products={products}
					onPick={({ id }) => setEdited(id)}
					onNearEnd={readMore}
				/>
			)}
			<Drawer
				opened={edited !== undefined}
				onClose={() => setEdited(undefined)}
				position="right"
				title={say(edited === "new" ? "products.add" : "products.edit")}
			>
				{edited !== undefined && (
					<>
						<ProductForm
							key={edited === "new" ? "new" : edited.id}
							product={edited === "new" ? undefined : edited}
							moved={moved}
							code={scanned}
							scanRef={scanIntoForm}
							onDone={() => setEdited(undefined)}
						/>
						{edited !== "new" && mayManage && <Picture product={edited} />}
						{edited !== "new" && mayManage && !edited.isService && (
							<Stock
								key={`stock ${edited.id}`}
								product={edited}
								onMoved={(delta) => setMoved((before) => before + delta)}
							/>
						)}
					</>
				)}
			</Drawer>
		</Stack>
	);
}

function useCount(show: "active" | "inactive"): { total?: number } {
	return useAnswer("product.count", { show }).data ?? {};
}

function List({
	products,
	onPick,
	onNearEnd,
}: {
	products: readonly Product[];
	onPick(product: Product): void;
	onNearEnd(): void;
}) {
	const format = useFormat();
	const { say } = useWords();
	const scroll = useRef<HTMLDivElement>(null);
	const rows = useVirtualizer({
		count: products.length,
		getScrollElement: () => scroll.current,
		estimateSize: () => rowHeight,
		overscan: 8,
	});
	const last = rows.getVirtualItems().at(-1)?.index ?? 0;
	const isNearEnd = last + rowsAhead >= products.length;
	useEffect(() => {
		if (isNearEnd) onNearEnd();
	}, [isNearEnd, onNearEnd]);
	if (products.length === 0)
		return (
			<Text c="dimmed" ta="center" p="xl">
				{say("till.none")}
			</Text>
		);
	return (
		<div className="scroll" ref={scroll}>
			<div className="rows" style={{ height: rows.getTotalSize() }}>
				{rows.getVirtualItems().map(({ index, start }) => {
					const product = products[index] as Product;
					const { quantity, lowStock, isService } = product;
					return (
						<UnstyledButton
							key={product.id}
							className="row"
							style={{ transform: `translateY(${start}px)` }}
							onClick={() => onPick(product)}
						>
							<Text flex={1} truncate>
								{product.name}
							</Text>
							{!isService && (
								<Badge
									variant="light"
									color={quantity <= lowStock ? "red" : "gray"}
									tt="none"
								>
									{format.quantity(quantity)}
								</Badge>
							)}
							<Text className="amount" w={110} fw={600}>
								{product.sellingPrice === null
									? "–"
									: format.money(product.sellingPrice)}
							</Text>
						</UnstyledButton>
					);
				})}
			</div>
		</div>
	);
}
