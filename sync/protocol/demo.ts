/** The demo shop's owner, by whom the app recognizes that shop. */
export const demoOwner = { email: "demo@example.com", name: "Demo" };
