// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { Base64, NamedObjectMeta, Time } from '../object-meta.ts'

/** The cluster-scoped kind `CertificateSigningRequest` of `certificates.k8s.io/v1`. */
export type CertificateSigningRequest = {
  apiVersion: 'certificates.k8s.io/v1'
  kind: 'CertificateSigningRequest'
  metadata: NamedObjectMeta
  spec: CertificateSigningRequestSpec
  status?: CertificateSigningRequestStatus
}

/** `CertificateSigningRequestCondition` of `certificates/v1`. */
export type CertificateSigningRequestCondition = {
  lastTransitionTime?: Time
  lastUpdateTime?: Time
  message?: string
  reason?: string
  status: string
  type: string
}

/** `CertificateSigningRequestSpec` of `certificates/v1`. */
export type CertificateSigningRequestSpec = {
  expirationSeconds?: number
  extra?: Record<string, string[]>
  groups?: string[]
  request: Base64
  signerName: string
  uid?: string
  usages?: ('any' | 'cert sign' | 'client auth' | 'code signing' | 'content commitment' | 'crl sign' | 'data encipherment' | 'decipher only' | 'digital signature' | 'email protection' | 'encipher only' | 'ipsec end system' | 'ipsec tunnel' | 'ipsec user' | 'key agreement' | 'key encipherment' | 'microsoft sgc' | 'netscape sgc' | 'ocsp signing' | 's/mime' | 'server auth' | 'signing' | 'timestamping')[]
  username?: string
}

/** `CertificateSigningRequestStatus` of `certificates/v1`. */
export type CertificateSigningRequestStatus = {
  certificate?: Base64
  conditions?: CertificateSigningRequestCondition[]
}
