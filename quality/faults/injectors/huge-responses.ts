import { allProviders, providerFaults } from './provider-faults.ts'

export const hugeResponses = providerFaults('huge-answers', allProviders, ['huge'])
