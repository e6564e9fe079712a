import { type KeyboardEvent, useEffect, useRef } from "react";
import { Link } from "wouter";
import "./bar-chart.css";

interface ChartBar {
	key: string;
	/** Stands below the bar; empty for most of many bars. */
	label: string;
	/** What the bar is of, in full. */
	name: string;
	value: number;
	/** What is usual, drawn as a dotted line. */
	usual?: number | null;
	/** Where the bar leads; a bar that leads nowhere is no stop of the Tab key. */
	href?: string;
}

/**
 * Bars of one colour, with what is usual as dots. All bars together are one stop of the Tab key, the arrows move within
 * it; a table says the same to screen readers.
 */
export function BarChart({
	label,
	columns,
	bars,
	show,
}: {
	label: string;
	/** The heads of the table's columns. */
	columns: { name: string; value: string; usual?: string };
	bars: readonly ChartBar[];
	show(value: number): string;
}) {
	const ref = useRef<HTMLDivElement>(null);
	const top = Math.max(
		...bars.map(({ value, usual }) => Math.max(value, usual ?? 0)),
		0,
	);
	const height = (value: number) =>
		top === 0 ? "0%" : `${(100 * Math.max(0, value)) / top}%`;
	const latest = Math.max(
		0,
		bars.findLastIndex(({ value }) => value !== 0),
	);
	// Where there is no room for all bars, the last show, as far as the latest that has something does.
	// biome-ignore lint/correctness/useExhaustiveDependencies: the number of bars makes it too wide.
	useEffect(() => {
		const [chart, bar] = [ref.current, ref.current?.children[latest]];
		if (!chart || !bar) return;
		const toLeft = chart.getBoundingClientRect().left;
		chart.scrollLeft += bar.getBoundingClientRect().left - toLeft;
	}, [bars.length, latest]);
	return (
		<>
			{/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
			<div
				className="bar-chart"
				ref={ref}
				role="group"
				aria-label={label}
				onKeyDown={moveFocus}
			>
				{bars.map((bar, i) => (
					<Column
						key={bar.key}
						bar={bar}
						said={`${bar.name}: ${show(bar.value)}`}
						isStop={i === bars.length - 1}
					>
						<span className="bar-chart-place">
							<span
								className="bar-chart-bar"
								style={{ height: height(bar.value) }}
							/>
							{typeof bar.usual === "number" && (
								<span
									className="bar-chart-usual"
									style={{ bottom: height(bar.usual) }}
								/>
							)}
						</span>
						<span className="bar-chart-label">{bar.label}</span>
					</Column>
				))}
			</div>
			<div className="visually-hidden">
				<table>
					<caption>{label}</caption>
					<thead>
						<tr>
							<th>{columns.name}</th>
							<th>{columns.value}</th>
							{columns.usual && <th>{columns.usual}</th>}
						</tr>
					</thead>
					<tbody>
						{bars.map(({ key, name, value, usual }) => (
							<tr key={key}>
								<th scope="row">{name}</th>
								<td>{show(value)}</td>
								{columns.usual && (
									<td>{typeof usual === "number" ? show(usual) : "–"}</td>
								)}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</>
	);
}

function Column({
	bar: { href },
	said,
	isStop,
	children,
}: {
	bar: ChartBar;
	said: string;
	isStop: boolean;
	children: React.ReactNode;
}) {
	if (href === undefined)
		return (
			<span className="bar-chart-column" title={said} aria-hidden>
				{children}
			</span>
		);
	return (
		<Link
			href={href}
			className="bar-chart-column"
			aria-label={said}
			title={said}
			tabIndex={isStop ? 0 : -1}
		>
			{children}
		</Link>
	);
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
	const step = steps[event.key];
	if (step === undefined) return;
	event.preventDefault();
	const bars = [...event.currentTarget.children];
	const now = bars.indexOf(document.activeElement as Element);
	const next = bars[now + step];
	if (next instanceof HTMLElement) next.focus();
}
