// An mqtt.js client that does what lines on standard input say and tells what happens on standard
// output, a line each, parts separated by tabs:
//   subscribe QOS FILTER | publish QOS TOPIC PAYLOAD | end
//   connected | done | error TEXT | message QOS RETAIN TOPIC PAYLOAD
'use strict';

const fs = require('fs');
const readline = require('readline');
const mqtt = require('mqtt');

const [url, clientId, version, caFile] = process.argv.slice(2);

const say = (...parts) => process.stdout.write(parts.join('\t') + '\n');
const answer = (error) => (error ? say('error', error.message) : say('done'));

const client = mqtt.connect(url, {
  clientId,
  protocolVersion: Number(version),
  ca: caFile ? [fs.readFileSync(caFile)] : undefined,
  reconnectPeriod: 0,
});
client.on('connect', () => say('connected'));
client.on('error', (error) => say('error', error.message));
client.on('message', (topic, payload, packet) =>
  say('message', packet.qos, packet.retain ? 1 : 0, topic, payload));

const commands = {
  subscribe: (qos, filter) => client.subscribe(filter, { qos: Number(qos) }, answer),
  publish: (qos, topic, payload) => client.publish(topic, payload, { qos: Number(qos) }, answer),
  end: () => client.end(false, {}, () => process.exit(0)),
};

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const [name, ...parts] = line.split('\t');
  commands[name](...parts);
});
