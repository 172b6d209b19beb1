// The head of the page and the configuration in force.

import { byId, element, fill, setText } from './dom.js';
import { count, longDuration, moment, unit } from './format.js';

export function drawServer(model) {
  const up = longDuration(model.second - Date.parse(model.server.started) / 1000);
  const kind = model.storeInfo.kind === 'memory' ? 'in memory' : model.unreachable ? 'Redis unreachable' : 'Redis';
  const shadow = model.server.shadow ? 'in shadow' : '';
  setText(byId('server'), [model.server.name, kind, shadow, `up ${up}`].filter(part => part).join(' · '));
}

export function drawConfiguration(model) {
  const { configuration, storeInfo, server } = model;
  const files = configuration.files.map(file => `${file.name}, sha ${file.sha256.slice(0, 7)}`).join('; ');
  const problems = configuration.problems;
  const redis = storeInfo.kind === 'redis';
  fill(byId('facts'), [
    [configuration.files.length > 1 ? 'files' : 'file', files || 'the example'],
    ['loaded', `${moment(configuration.loaded)}, ${problems.length === 0 ? 'no error since' : `${count(problems.length, 'error', 'errors')} since`}`],
    ['failure policy', redis ? `${storeInfo.failurePolicy}, deadline ${unit(storeInfo.deadlineMillis, 'ms')}` : 'none needed, the state is in this process'],
    ['version', `Weir ${server.version}`],
  ]);
  byId('problems').replaceChildren(...problems.length === 0 ? [] : [
    element('p', {}, 'The latest files are not in force:'),
    element('ul', {}, ...problems.map(problem => element('li', {}, element('bdi', {}, problem))))]);
}
