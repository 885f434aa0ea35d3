import { allProviders, providerFaults } from './provider-faults.ts'

export const endlessResponses = providerFaults('endless-answers', allProviders, ['endless'])
