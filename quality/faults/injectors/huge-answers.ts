import { everyProvider, providerFaults } from './providers.ts'

/** Any provider answers with 32 MB, the true answer at their end. */
export const hugeAnswers = providerFaults('huge-answers', everyProvider, ['huge'])
