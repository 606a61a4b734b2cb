//! `fc_asset_save`, `fc_object_save` and their loaders: byte blocks for files, savegames and rollback.

use super::asset;
use super::door::{call, failed};
use super::object::{self, Entry};
use super::pointer::{Buffer, Out, buffer, long_buffer, long_slice, out, slice};
use super::status::{FC_ERROR_CAPACITY, FC_INCOMPLETE, FC_OK, Failure, fc_status};
use super::types::{fc_asset, fc_object};
use crate::asset::Asset;
use crate::body::Object;
use crate::store::{load_with_notes, save_with_notes};
use std::sync::atomic::Ordering;

/// Output pointers of a save.
pub(super) struct Receiver {
    bytes: Buffer<u8>,
    size: Out<u64>,
}

impl Receiver {
    /// # Safety
    /// As [`long_buffer`] and [`out`].
    pub unsafe fn new(bytes: *mut u8, capacity: u64, size: *mut u64) -> Result<Self, Failure> {
        // SAFETY: required.
        unsafe { Ok(Self { bytes: long_buffer(bytes, capacity, "bytes")?, size: out(size, "size")? }) }
    }

    /// Writes all of it, or nothing.
    pub fn take(&self, saved: &[u8]) -> fc_status {
        self.size.write(saved.len() as u64);
        let capacity = self.bytes.capacity();
        if capacity == 0 {
            return FC_INCOMPLETE; // size query
        }
        if saved.len() > capacity {
            let text =
                format!("there are {} bytes to save, but room for {capacity}; *size has the number", saved.len());
            return failed(&Failure { status: FC_ERROR_CAPACITY, text });
        }
        self.bytes.fill(saved.iter().copied());
        FC_OK
    }
}

/// Serializes a cooked asset to a block of bytes: little-endian, versioned, checksummed; the same bytes on every
/// machine.
///
/// Sets `*size` to the number of bytes. With a `capacity` of 0 it writes nothing and returns FC_INCOMPLETE: use that
/// to query the size.
/// Owner    the buffer stays yours.
/// Threads  beside any other call.
/// Fails    FC_ERROR_CAPACITY (nothing is written, `*size` is set), FC_ERROR_INVALID_HANDLE,
///          FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
///
/// # Safety
/// `bytes` has room for `capacity`, `size` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_asset_save(asset: fc_asset, bytes: *mut u8, capacity: u64, size: *mut u64) -> fc_status {
    call(
        || {
            let asset = asset::get(asset, "asset")?;
            // SAFETY: required.
            let receiver = unsafe { Receiver::new(bytes, capacity, size)? };
            Ok((receiver, asset.save()))
        },
        |(receiver, saved)| receiver.take(&saved),
    )
}

/// Loads an asset that fc_asset_save saved. Every call returns the same results as with the saved asset, bit for
/// bit.
///
/// Safe for untrusted files: all bytes are validated. At least twenty times faster than cooking.
/// Owner    the bytes stay yours; no pointer is kept. Release the asset with fc_asset_release.
/// Threads  beside any other call.
/// Fails    FC_ERROR_INVALID_DATA (the text gives the reason and the version of the data),
///          FC_ERROR_INVALID_ARGUMENT, FC_ERROR_TOO_LARGE, FC_ERROR_OUT_OF_MEMORY.
///
/// # Safety
/// `bytes` is readable for `size`, `asset` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_asset_load(bytes: *const u8, size: u64, asset: *mut fc_asset) -> fc_status {
    call(
        || {
            // SAFETY: required.
            let (bytes, place) = unsafe { (long_slice(bytes, size, "bytes")?, out(asset, "asset")?) };
            Ok((place, Box::new(Asset::load(bytes)?)))
        },
        |(place, asset)| match asset::table().insert(asset) {
            Ok(id) => {
                place.write(fc_asset { id });
                FC_OK
            }
            Err(failure) => failed(&failure),
        },
    )
}

/// Serializes objects of one asset, intact or fragments, of any generation, with the data that they need of the
/// fractures that created them, and with their user data. The asset itself is not included.
///
/// Save fragments of one body together: fragments loaded together are siblings as the saved ones are; fragments of
/// two separate loads are not. `*size`, `bytes` and `capacity` are as in fc_asset_save.
///
/// Threads  beside any other call.
/// Fails    as fc_asset_save; FC_ERROR_INVALID_ARGUMENT if there are no objects, or if they are of different assets.
///
/// # Safety
/// `objects` has `count` elements, `bytes` room for `capacity`, `size` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_save(
    objects: *const fc_object,
    count: u32,
    bytes: *mut u8,
    capacity: u64,
    size: *mut u64,
) -> fc_status {
    call(
        || {
            // SAFETY: required.
            let (handles, receiver) =
                unsafe { (slice(objects, count, "objects")?, Receiver::new(bytes, capacity, size)?) };
            let (mut objects, mut notes): (Vec<Object>, Vec<[u64; 2]>) = (vec![], vec![]);
            for (k, handle) in handles.iter().enumerate() {
                let entry = object::get(*handle, &format!("objects[{k}]"))?;
                objects.push(entry.object.clone());
                notes.push([entry.user_data.load(Ordering::Relaxed), entry.cell as u64]);
            }
            Ok((receiver, save_with_notes(&objects, &notes)?))
        },
        |(receiver, saved)| receiver.take(&saved),
    )
}

/// Loads the objects that fc_object_save saved, in the order in which they were passed, as objects of `asset`, which
/// must have the same mesh and density. They are new objects, identical to the saved ones bit for bit.
///
/// Sets `*count` to the number of objects. All or nothing. Safe for untrusted files: all bytes are validated.
/// Owner    release each object with fc_object_destroy.
/// Threads  beside any other call.
/// Fails    FC_ERROR_CAPACITY (nothing is created, `*count` is set), FC_ERROR_INVALID_DATA, FC_ERROR_INVALID_HANDLE,
///          FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
///
/// # Safety
/// `bytes` is readable for `size`, `objects` has room for `capacity`, `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_load(
    bytes: *const u8,
    size: u64,
    asset: fc_asset,
    objects: *mut fc_object,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    call(
        || {
            let asset = asset::get(asset, "asset")?;
            // SAFETY: required.
            let (bytes, objects, count) = unsafe {
                (long_slice(bytes, size, "bytes")?, buffer(objects, capacity, "objects")?, out(count, "count")?)
            };
            let loaded = load_with_notes(bytes, &asset)?;
            let entry = |(object, [user_data, cell]): (Object, [u64; 2])| Entry::new(object, cell as u32, user_data);
            Ok((objects, count, loaded.into_iter().map(entry).collect::<Vec<_>>()))
        },
        |(objects, count, entries)| {
            let found = entries.len();
            count.write(found as u32);
            if found > objects.capacity() {
                let text =
                    format!("there are {found} objects, but room for {}; *count has the number", objects.capacity());
                return failed(&Failure { status: FC_ERROR_CAPACITY, text });
            }
            object::insert_all(entries, &objects).map_or_else(|failure| failed(&failure), |()| FC_OK)
        },
    )
}
