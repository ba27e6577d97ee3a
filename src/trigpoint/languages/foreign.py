"""Names of methods that every program of a language meets on objects which are not its own: collections, strings, streams,
locks. A call of one on an object of unknown type most likely means one of those, so no definition is guessed for it.
"""

from __future__ import annotations

from collections.abc import Mapping

_OBJECTS = "toString equals hashCode compareTo clone close get set put add remove size length contains isEmpty iterator next"

FOREIGN: Mapping[str, frozenset[str]] = {
    language: frozenset(names.split())
    for language, names in {
        "javascript": """
            at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes
            indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice toSorted
            toReversed toSpliced unshift values with charAt charCodeAt codePointAt endsWith localeCompare match matchAll
            normalize padEnd padStart repeat replace replaceAll search split startsWith substr substring toLowerCase
            toLocaleLowerCase toUpperCase toLocaleUpperCase trim trimEnd trimStart anchor toFixed toPrecision toExponential
            toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable apply bind call then catch
            finally next return throw get set has add delete clear exec test size log warn error info debug trace table
            getTime getDate getDay getFullYear getHours getMinutes getMonth getSeconds getMilliseconds toISOString toJSON
            on once off emit addListener removeListener addEventListener removeEventListener dispatchEvent write end read
            pipe close open send abort start stop focus blur click appendChild removeChild insertBefore querySelector
            querySelectorAll getAttribute setAttribute removeAttribute hasAttribute getElementById getContext
            getBoundingClientRect preventDefault stopPropagation contains remove append prepend cloneNode closest matches
            observe disconnect unobserve json text blob arrayBuffer formData byteLength subarray
            """,
        "java": _OBJECTS + """
            getClass notify notifyAll wait finalize charAt codePointAt compareToIgnoreCase concat endsWith equalsIgnoreCase
            getBytes indexOf intern lastIndexOf matches replace replaceAll replaceFirst split startsWith substring
            toCharArray toLowerCase toUpperCase trim strip format chars lines append insert delete deleteCharAt reverse
            setLength addAll addFirst addLast clear containsAll containsKey containsValue entrySet keySet values getKey
            getValue setValue getOrDefault putAll putIfAbsent computeIfAbsent computeIfPresent compute merge forEach
            removeAll removeIf retainAll replaceAll sort stream parallelStream toArray subList listIterator hasNext
            hasPrevious previous first last poll peek push pop offer take filter map mapToInt mapToObj mapToLong flatMap
            distinct sorted limit skip reduce collect toList anyMatch allMatch noneMatch findFirst findAny count min max
            sum average boxed isPresent ifPresent orElse orElseGet orElseThrow of accept andThen apply test negate compare
            run call start join interrupt submit execute shutdown await lock unlock tryLock acquire release countDown
            getAndIncrement incrementAndGet getAndSet compareAndSet read write flush reset mark available readLine println
            print printf getMessage getCause printStackTrace initCause getStackTrace addSuppressed getName getSimpleName
            isInstance cast newInstance invoke getMethod getDeclaredMethod ordinal name valueOf intValue longValue
            doubleValue booleanValue byteValue find group matcher start end
            """,
        "go": """
            Error String GoString Read Write Close Seek ReadAt WriteAt ReadFrom WriteTo ReadByte WriteByte ReadRune
            WriteString ReadString Len Less Swap Push Pop Lock Unlock RLock RUnlock Add Done Wait Do Load Store Delete Range
            Swap CompareAndSwap Get Set Put Next Scan Text Bytes Err Reset Flush Format Scan Unwrap Is As Value Deadline
            Cancel MarshalJSON UnmarshalJSON MarshalText UnmarshalText Helper Run Fatal Fatalf Errorf Logf Log Skip Parallel
            Cleanup Name Fail FailNow Setenv TempDir Print Printf Println Panic Unix UnixNano Sub Before After Equal IsZero
            Truncate Seconds Stop ServeHTTP Header WriteHeader
            """,
        "rust": """
            clone clone_from to_owned to_string to_vec into from try_into try_from as_ref as_mut as_str as_bytes as_slice
            borrow borrow_mut deref deref_mut eq ne cmp partial_cmp lt le gt ge hash fmt default drop iter iter_mut into_iter
            next size_hint count last nth step_by chain zip map for_each filter filter_map enumerate peekable skip_while
            take_while map_while skip take scan flat_map flatten fuse inspect by_ref collect partition fold try_fold reduce
            all any find find_map position max min max_by min_by max_by_key min_by_key rev unzip copied cloned cycle sum
            product unwrap unwrap_or unwrap_or_else unwrap_or_default expect expect_err unwrap_err ok err ok_or ok_or_else
            and and_then or or_else map_err map_or map_or_else is_some is_none is_ok is_err is_some_and is_ok_and replace
            take insert get_or_insert get_or_insert_with get get_mut get_unchecked push pop push_str push_back push_front
            pop_back pop_front len is_empty capacity reserve clear truncate resize extend append drain retain remove
            swap swap_remove contains contains_key entry or_insert or_insert_with or_default keys values values_mut first
            last split split_at split_once splitn rsplit trim trim_start trim_end strip_prefix strip_suffix starts_with
            ends_with lines chars bytes char_indices parse sort sort_by sort_by_key sort_unstable binary_search dedup concat
            join windows chunks read write write_all flush read_to_string read_to_end seek lock try_lock send recv try_recv
            spawn await poll load store fetch_add fetch_sub swap compare_exchange abs pow sqrt floor ceil round min max
            wrapping_add wrapping_sub checked_add checked_sub saturating_add saturating_sub leading_zeros trailing_zeros
            to_le_bytes to_be_bytes to_ascii_lowercase to_lowercase to_uppercase is_alphanumeric is_whitespace is_ascii
            elapsed as_secs as_millis as_ptr as_mut_ptr offset cast is_null span
            """,
        "cpp": """
            begin end cbegin cend rbegin rend size length empty max_size capacity reserve resize clear front back at data
            push_back pop_back push_front pop_front emplace emplace_back emplace_front insert erase swap assign push pop top
            find count contains lower_bound upper_bound equal_range first second c_str str substr append compare replace
            find_first_of find_last_of find_first_not_of rfind starts_with ends_with get reset release use_count lock unlock
            try_lock owns_lock join detach joinable wait notify_one notify_all load store exchange fetch_add fetch_sub
            compare_exchange_strong compare_exchange_weak value value_or has_value what code message name hash_code open
            close is_open read write flush good fail eof bad getline put peek seekg tellg seekp tellp rdbuf width precision
            fill setf unsetf imbue min max merge splice sort unique reverse remove remove_if key_comp bucket_count rehash
            get_allocator allocate deallocate construct destroy
            """,
        "php": """
            __construct __toString __get __set __call __invoke getMessage getCode getPrevious getFile getLine getTrace
            getTraceAsString current key next rewind valid count offsetGet offsetSet offsetExists offsetUnset getIterator
            serialize unserialize jsonSerialize format modify add sub diff setTime setDate getTimestamp setTimezone
            getTimezone bind bindTo call fetch fetchAll fetchColumn execute prepare query bindValue bindParam beginTransaction
            commit rollBack lastInsertId rowCount push pop shift unshift top isEmpty attach detach contains getName
            getShortName newInstance newInstanceArgs invoke invokeArgs getParameters getAttributes isPublic
            """,
    }.items()
}  # fmt: skip
"""By the folder of the rules. Which calls on unknown objects are guessed at is measured in benchmarks/edges."""
