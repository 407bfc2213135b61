// The load of the public comparison, for k6: 50 users, each of whom opens a session for each of the
// three tools and for the list of the tools.
//
//   k6 run -e URL=http://127.0.0.1:8080/mcp load.js

import http from 'k6/http';
import { sleep } from 'k6';
import { Counter } from 'k6/metrics';

export const options = { vus: 50, duration: '30s' };

const requests = new Counter('requests'); // without notifications and ends of sessions
const wrong = new Counter('wrong');
const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

// message returns the JSON of a response, which may be the data of an event.
function message(body) {
  const text = (body || '').trim();
  if (text.startsWith('{')) {
    return JSON.parse(text);
  }
  for (const line of text.split('\n')) {
    if (line.startsWith('data:') && line.includes('{')) {
      return JSON.parse(line.slice(5));
    }
  }
  return {};
}

function post(session, body) {
  return http.post(__ENV.URL, JSON.stringify(body), { headers: session ? { ...headers, 'Mcp-Session-Id': session } : headers });
}

// inSession sends one request in a session of its own and returns its result.
function inSession(method, params) {
  const opened = post('', {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'load', version: '1.0' } },
  });
  const session = opened.headers['Mcp-Session-Id'];
  post(session, { jsonrpc: '2.0', method: 'notifications/initialized' });
  const result = message(post(session, { jsonrpc: '2.0', id: 2, method, params }).body).result;
  requests.add(2);
  if (session) {
    http.del(__ENV.URL, null, { headers: { 'Mcp-Session-Id': session } });
  }
  return result;
}

// call calls a tool and returns the value in its text.
function call(name, args) {
  const result = inSession('tools/call', { name, arguments: args });
  return result && result.content && !result.isError ? JSON.parse(result.content[0].text) : {};
}

function expect(right) {
  if (!right) {
    wrong.add(1);
  }
}

export default function () {
  const user = `user-${String(__VU).padStart(5, '0')}`;
  const search = call('search_products', { category: 'Electronics', min_price: 50, max_price: 500, limit: 10 });
  expect(search.total_found > 2000 && search.products.length === 10 && search.top10_popular_ids.length === 10);
  const cart = call('get_user_cart', { user_id: user });
  expect(cart.user_id === user && cart.cart.items.length >= 2 && cart.recent_history.length === 5);
  const order = call('checkout', { user_id: user, items: [{ product_id: 42, quantity: 2 }, { product_id: 1337, quantity: 1 }] });
  expect(order.status === 'confirmed' && order.total > 0 && order.items_count === 2);
  const list = inSession('tools/list', {});
  expect(list && list.tools.length === 3);
  sleep(0.05);
}

export function handleSummary(data) {
  const value = (name, key) => (data.metrics[name] ? data.metrics[name].values[key] : 0);
  return {
    stdout: JSON.stringify({
      requests: value('requests', 'count'),
      rate: value('requests', 'rate'),
      failed: value('http_req_failed', 'passes'),
      wrong: value('wrong', 'count'),
      p95: value('http_req_duration', 'p(95)'),
    }),
  };
}
