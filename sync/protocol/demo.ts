/** The demo shop's owner, by whom the app recognizes that shop. */
export const demoOwner = { email: "demo@example.com", name: "Demo" };

/** What the demo shop's sample catalogue has, as the app promises it beforehand. */
export const demoProductCount = 326;
