import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { PasswordField } from "../components/password-field.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useTill } from "../shop/till.ts";
import { useWords } from "../words/index.ts";
import { Cover } from "./cover.tsx";

interface Props {
	onDone(): Promise<void>;
	/** Given if the form opens over a page, which keeps working without a sign-in. */
	onClose?: () => void;
	/** The signed-in account has no shop. */
	isShopless?: boolean;
}

/** The sign-in form: as a page, or over the page of a shop whose session has ended. */
export function Login({ onDone, onClose, isShopless = false }: Props) {
	const { say } = useWords();
	const till = useTill();
	if (onClose)
		return (
			<Sheet title={say("login.title")} onClose={onClose}>
				<LoginForm onDone={onDone} isOver />
			</Sheet>
		);
	return (
		<Cover
			title={say("login.title")}
			lead={isShopless ? undefined : say("login.lead")}
			foot={
				!till && (
					<Link className="link" href="/setup">
						{say("login.create")}
					</Link>
				)
			}
		>
			{isShopless && (
				<p className="attention" role="alert">
					{say("login.noShop")}
				</p>
			)}
			<LoginForm onDone={onDone} isOver={false} />
		</Cover>
	);
}

function LoginForm({
	onDone,
	isOver,
}: {
	onDone(): Promise<void>;
	isOver: boolean;
}) {
	const { say } = useWords();
	const [, navigate] = useLocation();
	const { attempt, problem, isBusy } = useAttempt();
	const [email, setEmail] = useState("");
	const [password, setPassword] = useState("");
	const setup = useQuery({
		queryKey: ["setup"],
		queryFn: () => ask<{ isEmpty: boolean }>("GET", "/api/setup"),
		enabled: !isOver,
	});
	const isEmpty = setup.data?.isEmpty === true;
	useEffect(() => {
		if (isEmpty) navigate("/setup");
	}, [isEmpty, navigate]);
	const till = useTill();
	const isJoining = till?.mode === "joining" && !isOver;
	useEffect(() => {
		if (isJoining) navigate("/join");
	}, [isJoining, navigate]);

	async function signIn(event: FormEvent): Promise<void> {
		event.preventDefault();
		await attempt(async () => {
			await ask("POST", "/login", { email, password });
			await onDone();
			if (!isOver) navigate("/");
		});
	}

	return (
		<form className="cover-form" onSubmit={signIn}>
			{problem}
			<TextField
				name="email"
				type="email"
				label={say("login.email")}
				autoComplete="username"
				required
				data-autofocus
				value={email}
				onChange={setEmail}
			/>
			<PasswordField
				name="password"
				label={say("login.password")}
				autoComplete="current-password"
				required
				value={password}
				onChange={setPassword}
			/>
			<Button type="submit" kind="ink" size="l" isBusy={isBusy}>
				{say("login.submit")}
			</Button>
		</form>
	);
}
