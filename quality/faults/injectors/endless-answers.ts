import { everyProvider, providerFaults } from './providers.ts'

/** Makes any provider answer with a body that never ends, as fast as it is read or a byte at a time. */
export const endlessAnswers = providerFaults('endless-answers', everyProvider, ['endless'])
