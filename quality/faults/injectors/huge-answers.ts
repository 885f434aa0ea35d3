import { everyProvider, providerFaults } from './providers.ts'

export const hugeAnswers = providerFaults('huge-answers', everyProvider, ['huge'])
