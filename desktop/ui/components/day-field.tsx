import { CalendarDays, ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useFormat } from "../format.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { IconButton } from "./button.tsx";
import { addMonths, dayAfterKey, weeksOf } from "./month.ts";
import "./field.css";
import "./day-field.css";

/** A business day, chosen in a calendar in the app's language: a browser's own date field speaks the browser's. */
export function DayField({
	label,
	value,
	onChange,
}: {
	label: string;
	/** Empty if no day is chosen. */
	value: string;
	onChange(day: string): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const id = useId();
	const [isOpen, setOpen] = useState(false);
	const { data: now } = useAnswer("business.today", {}, { enabled: isOpen });
	const field = useRef<HTMLFieldSetElement>(null);
	const button = useRef<HTMLButtonElement>(null);

	useEffect(() => {
		if (!isOpen) return;
		const leave = ({ target }: Event) => {
			if (!field.current?.contains(target as Node)) setOpen(false);
		};
		document.addEventListener("pointerdown", leave);
		return () => document.removeEventListener("pointerdown", leave);
	}, [isOpen]);

	function close(): void {
		setOpen(false);
		button.current?.focus();
	}

	return (
		<fieldset
			ref={field}
			className="field day-field"
			aria-labelledby={`${id}-label`}
			onBlur={({ currentTarget, relatedTarget }) => {
				// Safari gives a pressed button no focus.
				if (relatedTarget && !currentTarget.contains(relatedTarget))
					setOpen(false);
			}}
			onKeyDown={(event) => {
				if (event.key !== "Escape" || !isOpen) return;
				event.stopPropagation();
				close();
			}}
		>
			<span id={`${id}-label`}>{label}</span>
			<button
				ref={button}
				id={id}
				type="button"
				className="input day-button"
				aria-haspopup="dialog"
				aria-expanded={isOpen}
				aria-labelledby={`${id}-label ${id}`}
				onClick={() => setOpen(!isOpen)}
			>
				{value ? format.fullDay(value) : say("day.any")}
				<CalendarDays size={18} aria-hidden />
			</button>
			{isOpen && (
				<div
					className="day-calendar"
					role="dialog"
					aria-labelledby={`${id}-label`}
				>
					<Calendar
						value={value}
						today={now?.day ?? new Date().toISOString().slice(0, 10)}
						onChoose={(day) => {
							onChange(day);
							close();
						}}
					/>
				</div>
			)}
		</fieldset>
	);
}

function Calendar({
	value,
	today,
	onChoose,
}: {
	value: string;
	today: string;
	onChoose(day: string): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const [at, setAt] = useState(value || today);
	const grid = useRef<HTMLTableElement>(null);
	/** False after a press of a month's button, which keeps the focus. */
	const takesFocus = useRef(true);
	const [firstWeek = []] = weeksOf("2024-01-01");

	// biome-ignore lint/correctness/useExhaustiveDependencies: the day that can be tabbed to has changed.
	useEffect(() => {
		if (takesFocus.current)
			grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
	}, [at]);

	function turn(months: number): void {
		takesFocus.current = false;
		setAt(addMonths(at, months));
	}

	function onKeyDown(event: KeyboardEvent): void {
		const next = dayAfterKey(event.key, at);
		if (next === undefined) return;
		event.preventDefault();
		takesFocus.current = true;
		setAt(next);
	}

	return (
		<>
			<div className="day-head">
				<IconButton label={say("day.before")} onClick={() => turn(-1)}>
					<ChevronLeft size={20} aria-hidden />
				</IconButton>
				<span className="strong" aria-live="polite">
					{format.monthOf(at)}
				</span>
				<IconButton label={say("day.after")} onClick={() => turn(1)}>
					<ChevronRight size={20} aria-hidden />
				</IconButton>
			</div>
			<table ref={grid} className="day-grid" onKeyDown={onKeyDown}>
				<thead>
					<tr>
						{firstWeek.map((day = "") => (
							<th key={day} scope="col" abbr={format.weekday(day)}>
								{format.shortWeekday(day)}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{weeksOf(at).map((week) => (
						<tr key={week.find(Boolean)}>
							{week.map((day, weekday) => (
								<td key={day ?? weekday}>
									{day && (
										<button
											type="button"
											className="day"
											tabIndex={day === at ? 0 : -1}
											aria-label={format.longDay(day)}
											aria-pressed={day === value}
											aria-current={day === today ? "date" : undefined}
											onClick={() => onChoose(day)}
										>
											{Number(day.slice(8))}
										</button>
									)}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</>
	);
}
