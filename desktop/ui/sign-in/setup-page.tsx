import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { TextField } from "../components/field.tsx";
import { PasswordField } from "../components/password-field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { useTill } from "../shop/till.ts";
import { useWords } from "../words/index.ts";
import { Cover } from "./cover.tsx";
import {
	currencyChoices,
	currencyOf,
	nearCurrencies,
	ownTimeZone,
} from "./currency-choices.ts";
import { type Demo, DemoReady, makeDemo } from "./demo-ready.tsx";

/** Opens a shop by five answers; on an empty server it may be a demo shop. */
export default function Setup({ onDone }: { onDone(): Promise<void> }) {
	const { say } = useWords();
	const [, navigate] = useLocation();
	const { attempt, problem, isBusy } = useAttempt();
	const [demo, setDemo] = useState<Demo>();
	const [typed, setTyped] = useState(() => ({
		businessName: "",
		name: "",
		email: "",
		password: "",
		currency: currencyOf(ownTimeZone()),
		timeZone: ownTimeZone(),
		// A link from the server's terminal carries the code in its fragment, which no server or log sees.
		setupCode: location.hash.slice(1),
	}));
	const field = (name: keyof typeof typed) => ({
		name,
		value: typed[name],
		onChange: (value: string) => setTyped({ ...typed, [name]: value }),
	});
	const { data } = useQuery({
		queryKey: ["setup"],
		queryFn: () =>
			ask<{ isEmpty: boolean; needsCode: boolean }>("GET", "/api/setup"),
	});
	const isEmpty = data?.isEmpty === true;
	const till = useTill();
	const queries = useQueryClient();

	async function enter(place: string): Promise<void> {
		// The server is no longer empty: a sign-out must not lead back here.
		queries.removeQueries({ queryKey: ["setup"] });
		void queries.invalidateQueries({ queryKey: ["till"] });
		await onDone();
		navigate(place);
	}

	async function open(event: FormEvent): Promise<void> {
		event.preventDefault();
		await attempt(async () => {
			if (isEmpty) await ask("POST", "/api/setup", typed);
			else {
				await ask("POST", "/api/auth/register", typed);
				await ask("POST", "/login", typed);
			}
			await enter("/start");
		});
	}

	async function openDemo(): Promise<void> {
		await attempt(async () => setDemo(await makeDemo(typed.setupCode)));
	}

	if (demo)
		return (
			<Cover title={say("setup.demoReady")} lead={say("setup.demoPassword")}>
				<DemoReady
					demo={demo}
					isBusy={isBusy}
					onEnter={() => attempt(() => enter("/"))}
				/>
			</Cover>
		);
	return (
		<Cover
			title={say("setup.title")}
			lead={say("setup.lead")}
			shop={typed.businessName}
			currency={typed.currency}
			foot={
				<>
					{!isEmpty && (
						<Link className="link" href="/">
							{say("setup.signIn")}
						</Link>
					)}
					{isEmpty && till && (
						<Link className="link" href="/join">
							{say("join.title")}
						</Link>
					)}
					{isEmpty && (
						<button
							type="button"
							className="link"
							disabled={isBusy}
							onClick={openDemo}
						>
							{say("setup.demo")}
						</button>
					)}
				</>
			}
		>
			<form className="cover-form" onSubmit={open}>
				{problem}
				{data?.needsCode === true && (
					<TextField
						{...field("setupCode")}
						label={say("setup.code")}
						placeholder={say("setup.codeLead")}
						autoCapitalize="characters"
						required
					/>
				)}
				<TextField
					{...field("businessName")}
					label={say("setup.shop")}
					autoComplete="organization"
					required
				/>
				<div className="cover-pair">
					<TextField
						{...field("name")}
						label={say("setup.name")}
						autoComplete="name"
						required
					/>
					<CurrencyChoice {...field("currency")} />
				</div>
				<div className="cover-pair">
					<TextField
						{...field("email")}
						type="email"
						label={say("login.email")}
						autoComplete="username"
						required
					/>
					<PasswordField
						{...field("password")}
						label={say("login.password")}
						autoComplete="new-password"
						minLength={8}
						required
					/>
				</div>
				<Button type="submit" kind="ink" size="l" isBusy={isBusy}>
					{say("setup.submit")} <kbd aria-hidden>Enter</kbd>
				</Button>
			</form>
		</Cover>
	);
}

/** The currencies nearby as chips, and all others in a list. */
function CurrencyChoice({
	value,
	onChange,
}: {
	value: string;
	onChange(value: string): void;
}) {
	const { say, language } = useWords();
	const [isAny, setAny] = useState(false);
	const near = useMemo(() => nearCurrencies(currencyOf(ownTimeZone())), []);
	const all = useMemo(() => currencyChoices(language), [language]);
	if (isAny)
		return (
			<SelectField
				label={say("setup.currency")}
				options={all}
				value={value}
				onChange={onChange}
				autoFocus
			/>
		);
	return (
		<div className="field">
			<span className="field-label">{say("setup.currency")}</span>
			<Chips
				label={say("setup.currency")}
				choices={[
					...near.map((code) => ({ value: code, label: code })),
					{ value: "", label: "…" },
				]}
				value={value}
				onChange={(code) => (code === "" ? setAny(true) : onChange(code))}
			/>
		</div>
	);
}
