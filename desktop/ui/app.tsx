import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { Busy } from "./components/busy.tsx";
import { Frame } from "./frame/frame.tsx";
import { pages } from "./pages.ts";
import { ShopProvider, useSessionState } from "./session.tsx";
import { BusinessProvider } from "./shop/business.tsx";
import { Login } from "./sign-in/login-page.tsx";
import { ApprovalSheet } from "./staff/approval-sheet.tsx";
import { IdleLock } from "./staff/idle-lock.tsx";

// What is shown before a shop is open, and less often.
const Admin = lazy(() => import("./admin/admin-page.tsx"));
const Join = lazy(() => import("./sign-in/join-page.tsx"));
const Setup = lazy(() => import("./sign-in/setup-page.tsx"));
const Start = lazy(() => import("./start/start-page.tsx"));
// For contributors.
const Styleguide = lazy(() => import("./styleguide/styleguide-page.tsx"));

const queries = new QueryClient({
	defaultOptions: { queries: { retry: 1, staleTime: 5_000 } },
});

export function App() {
	return (
		<QueryClientProvider client={queries}>
			<Suspense fallback={<Loading />}>
				<Switch>
					<Route path="/styleguide" component={Styleguide} />
					<Route>
						<Rooms />
					</Route>
				</Switch>
			</Suspense>
		</QueryClientProvider>
	);
}

function Rooms() {
	const { state, signedIn, signOut, adopt, isSignedOut } = useSessionState();
	if (state.kind === "loading") return <Loading />;
	if (state.kind === "nobody")
		return (
			<Switch>
				<Route path="/join">
					<Join onDone={signedIn} />
				</Route>
				<Route path="/setup">
					<Setup onDone={signedIn} />
				</Route>
				<Route>
					<Login onDone={signedIn} />
				</Route>
			</Switch>
		);
	const { session, isEnded, other } = state;
	if (session.user.role === "admin")
		return isEnded ? (
			<Login onDone={signedIn} />
		) : (
			<Admin onSignOut={signOut} />
		);
	if (session.user.businessId === null)
		return <Login onDone={signedIn} isShopless />;
	return (
		<ShopProvider
			key={session.user.businessId}
			session={session}
			isEnded={isEnded}
			other={other}
			signedIn={signedIn}
			adopt={adopt}
			signOut={signOut}
			isSignedOut={isSignedOut}
			fallback={<Loading />}
		>
			<BusinessProvider>
				<ApprovalSheet />
				<IdleLock>
					<Switch>
						<Route path="/start/:way?" component={Start} />
						<Route>
							<Frame>
								<Switch>
									{pages.map(({ path, View }) => (
										<Route key={path} path={path} component={View} />
									))}
									<Route>
										<Redirect to="/" />
									</Route>
								</Switch>
							</Frame>
						</Route>
					</Switch>
				</IdleLock>
			</BusinessProvider>
		</ShopProvider>
	);
}

function Loading() {
	return (
		<div className="busy-window">
			<Busy />
		</div>
	);
}
