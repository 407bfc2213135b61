export async function turns(sconce, jobs) {
	const results = [];
	for (const job of jobs) {
		const candle = sconce.light('desk', { by: 'clerk', steal: true, clean: true });
		try {
			results.push(await job());
		} catch (error) {
			results.push(error.message);
		} finally {
			candle.snuff();
		}
	}
	return results;
}

export const lastWhy = (sconce) => sconce.stubs().at(-1)?.why;
