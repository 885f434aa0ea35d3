import { everyProvider, providerFaults } from './providers.ts'

/** Any provider answers with what is no JSON, or with half of it, after it has done what it was asked to do. */
export const garbledAnswers = providerFaults('garbled-answers', everyProvider, ['garbled'])
