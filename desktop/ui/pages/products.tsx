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
import { useMemo, useRef, useState } from "react";
import { useSearch } from "wouter";
import type { Product } from "../../../sync/entities/product.ts";
import { useFormat } from "../format.ts";
import { Categories } from "../products/categories.tsx";
import { ProductForm } from "../products/form.tsx";
import { Import } from "../products/import.tsx";
import { Picture } from "../products/picture.tsx";
import { Stock } from "../products/stock.tsx";
import { useLocal, useMayManage } from "../session.tsx";
import { beep } from "../till/beep.ts";
import { isMisread } from "../till/check-digit.ts";
import { useScanner } from "../till/scanner.ts";
import { useWords } from "../words/index.ts";

const rowHeight = 56;

/** Everything that is sold: found at once, however much it is, and changed here also without the network. */
export default function Products() {
	const { say } = useWords();
	const { catalogue } = useLocal();
	const mayManage = useMayManage();
	const asked = new URLSearchParams(useSearch());
	const [words, setWords] = useState("");
	const [editedId, setEdited] = useState<string | undefined>(
		asked.has("add") ? "new" : (asked.get("id") ?? undefined),
	);
	const [moves, setMoves] = useState(0);
	const edited =
		editedId === "new" ? "new" : catalogue.byId.get(editedId ?? "");
	const [scanned, setScanned] = useState("");
	const scanIntoForm = useRef<(code: string) => void>(null);
	const [isActive, setActive] = useState(true);
	const found = useMemo(() => {
		if (!isActive) return catalogue.inactive;
		return words.trim() === ""
			? catalogue.products
			: catalogue.find(words, null);
	}, [catalogue, words, isActive]);

	useScanner({
		isKnown: (code) =>
			edited === undefined
				? catalogue.byCode(code) !== undefined
				: document.activeElement?.getAttribute("data-path") === "sku",
		onScan({ code }) {
			if (edited !== undefined) {
				scanIntoForm.current?.(code);
				return;
			}
			const product = catalogue.byCode(code);
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
				value={words}
				onChange={(event) => setWords(event.currentTarget.value)}
			/>
			<Group justify="space-between">
				<Text size="sm" c="dimmed" role="status">
					{say("products.count", { count: found.length })}
				</Text>
				{catalogue.inactive.length > 0 && (
					<SegmentedControl
						value={isActive ? "active" : "inactive"}
						onChange={(value) => setActive(value === "active")}
						data={[
							{ value: "active", label: say("products.active") },
							{ value: "inactive", label: say("products.inactive") },
						]}
					/>
				)}
			</Group>
			<List products={found} onPick={({ id }) => setEdited(id)} />
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
							moves={moves}
							code={scanned}
							scanRef={scanIntoForm}
							onDone={() => setEdited(undefined)}
						/>
						{edited !== "new" && mayManage && <Picture product={edited} />}
						{edited !== "new" && mayManage && !edited.isService && (
							<Stock
								key={`stock ${edited.id}`}
								product={edited}
								onMoved={() => setMoves(moves + 1)}
							/>
						)}
					</>
				)}
			</Drawer>
		</Stack>
	);
}

function List({
	products,
	onPick,
}: {
	products: readonly Product[];
	onPick(product: Product): void;
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
