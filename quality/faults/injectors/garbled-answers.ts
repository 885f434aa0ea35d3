import { everyProvider, providerFaults } from './providers.ts'

/** Makes any provider carry out a call and answer with something that is not JSON, or with half of it. */
export const garbledAnswers = providerFaults('garbled-answers', everyProvider, ['garbled'])
