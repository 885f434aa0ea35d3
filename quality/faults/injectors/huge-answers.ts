import { everyProvider, providerFaults } from './providers.ts'

/** Makes any provider answer with 32 MB that end with the true answer. */
export const hugeAnswers = providerFaults('huge-answers', everyProvider, ['huge'])
