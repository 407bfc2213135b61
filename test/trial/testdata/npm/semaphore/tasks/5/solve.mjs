import { PutUpTunnelVentCommand, StopTunnelVentCommand } from '@drumlin/semaphore/commands';

export async function vent(client, region, key) {
	const once = { tries: 1 };
	const input = { name: 'north', region, ticket: key, labels: { use: 'smoke' }, shift: 'night', muted: true };
	const { id } = await client.send(new PutUpTunnelVentCommand(input), once);
	await client.send(new StopTunnelVentCommand({ id, minutes: 120, why: 'sweeping' }), once);
	return id;
}
