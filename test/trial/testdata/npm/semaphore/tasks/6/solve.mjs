import { RaiseGangTrolleyCommand } from '@drumlin/semaphore/commands';
import { GangTrolleyHeld, GangTrolleyUnknown } from '@drumlin/semaphore/faults';
import { paginateScanGangTrolley } from '@drumlin/semaphore/pages';

export async function revive(client, region, day) {
	const result = { back: [], held: [], unknown: [] };
	for await (const { id, state } of paginateScanGangTrolley(client, { region, take: 150, down: true })) {
		if (state !== 'down') {
			continue;
		}
		try {
			await client.send(new RaiseGangTrolleyCommand({ id, asOf: day }));
			result.back.push(id);
		} catch (error) {
			if (error instanceof GangTrolleyHeld) {
				result.held.push(id);
			} else if (error instanceof GangTrolleyUnknown) {
				result.unknown.push(id);
			} else {
				throw error;
			}
		}
	}
	return result;
}
